/**
 * @file hammer.c
 * @brief Eight host threads and running kernels on one allocation: no update is lost, nothing locks up, nothing crashes.
 *
 * The memory is lines of 16 words. In each line word 0 is the kernel's, words 1 to 8 belong to one host thread each,
 * and word 9 is everybody's, by system-wide atomics. CUDA promises all of these; what threads do to the same word
 * without atomics it does not, so nobody does.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "again.h"
#include "kernels_here.h"
#include "moves.h"

enum { THREADS = 8, LINES = 32768, WORDS = 16, SHARED = 9 };

struct hand {
    int number;
    unsigned own[LINES], shared[LINES]; /* what this thread has done to each line */
    unsigned long long touches;
};

static unsigned *lines;
static struct hand hands[THREADS];
static volatile bool stop;

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *host_thread(void *argument)
{
    struct hand *hand = argument;
    uint64_t state = (uint64_t)hand->number + 1;

    while (!stop) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        const size_t line = state >> 33 & (LINES - 1);

        ((volatile unsigned *)lines)[line * WORDS + 1 + (size_t)hand->number]++;
        hand->own[line]++;
        if (state >> 60 == 0) {
            __atomic_fetch_add(&lines[line * WORDS + SHARED], 1, __ATOMIC_RELAXED);
            hand->shared[line]++;
        }
        hand->touches++;
    }
    return NULL;
}

static void check(unsigned launches)
{
    for (size_t line = 0; line < LINES; line++) {
        const unsigned *word = &lines[line * WORDS];
        unsigned shared = launches;

        SCENE_NEED(word[0] == launches, "line %zu: the kernels' word is %u after %u launches", line, word[0],
                   launches);
        for (int t = 0; t < THREADS; t++) {
            SCENE_NEED(word[1 + t] == hands[t].own[line], "line %zu: thread %d's word is %u after %u updates",
                       line, t, word[1 + t], hands[t].own[line]);
            shared += hands[t].shared[line];
        }
        SCENE_NEED(word[SHARED] == shared, "line %zu: the shared word is %u after %u updates", line,
                   word[SHARED], shared);
    }
}

static void hammer(void)
{
    const double end = seconds_now() + 1e-3 * (double)scene_setting("UM_MS", 1000);
    pthread_t thread[THREADS];
    unsigned launches = 0;
    unsigned long long touches = 0;

    SCENE_CALL(cudaMallocManaged((void **)&lines, LINES * WORDS * sizeof *lines, cudaMemAttachGlobal));
    memset(lines, 0, LINES * WORDS * sizeof *lines);
    for (int t = 0; t < THREADS; t++) {
        hands[t].number = t;
        SCENE_NEED(pthread_create(&thread[t], NULL, host_thread, &hands[t]) == 0, "no thread");
    }
    for (; seconds_now() < end; launches++) {
        SCENE_CALL(here_hammer(lines, LINES, SHARED, 0));
        if (launches % 4 == 3)
            SCENE_CALL(um_prefetch(lines, MiB, launches % 8 == 3 ? 0 : cudaCpuDeviceId, 0));
        if (launches % 3 != 2)
            SCENE_CALL(cudaDeviceSynchronize());
    }
    SCENE_CALL(cudaDeviceSynchronize());
    stop = true;
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        touches += hands[t].touches;
    }
    check(launches);
    printf("launches=%u\ntouches=%llu\n", launches, touches);
}
SCENE("hammer", hammer)

static void under(const char *schedule, const char *milliseconds)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "hammer", .settings = {schedule, milliseconds}, .limit_s = 60};
    again(&run);
    if (!again_ended_well(&run))
        return;
    CU_ASSERT(again_number(&run, "launches") >= 4);
    CU_ASSERT(again_number(&run, "touches") > 1000);
    if (long_version())
        printf("        %s: %llu launches, %llu host updates\n", schedule, again_number(&run, "launches"),
               again_number(&run, "touches"));
}

static void lazily(void)
{
    under("UMSIM_SCHED=lazy", long_version() ? "UM_MS=10000" : "UM_MS=1000");
}

static void eagerly(void)
{
    under("UMSIM_SCHED=eager", long_version() ? "UM_MS=10000" : "UM_MS=1000");
}

UM_TESTS("eight threads and kernels on one allocation", {"no update is lost under lazy", lazily},
         {"no update is lost under eager", eagerly});
