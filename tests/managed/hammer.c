/**
 * @file hammer.c
 * @brief Eight host threads and running kernels on one allocation: no update is lost, nothing locks up,
 * nothing crashes.
 *
 * The memory is lines of 16 words. In each line word 0 is the kernel's, words 1 to 8 belong to one host
 * thread each, and word 9 is everybody's, by system-wide atomics. CUDA promises all of these; what threads do
 * to the same word without atomics it does not, so nobody does.
 *
 * Behind the lines eight more threads may have a buffer each, which system calls and stdio fill from files
 * and empty into files. Buffers are no whole pages, and before each is a word of the kernels': so each page
 * is everybody's.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "again.h"
#include "kernels_here.h"
#include "moves.h"

enum { THREADS = 8, LINES = 32768, WORDS = 16, SHARED = 9, LAUNCHES_MIN = 4 };
enum { BUFFER = 9001, BUFFER_STEP = 9008, BUFFER_WORDS = BUFFER_STEP / sizeof(int) };

struct hand {
    int number;
    unsigned own[LINES], shared[LINES]; /* what this thread has done to each line */
    unsigned long long touches;
};

/* A thread that has its buffer filled and emptied by the operating system. */
struct writer {
    unsigned char *buffer;       /* managed */
    unsigned char bytes[BUFFER]; /* what it should hold */
    FILE *file;
    unsigned long long rounds;
};

static unsigned *lines;
static int *buffers; /* in each range of BUFFER_STEP bytes: a word of the kernels', then a writer's buffer */
static struct hand hands[THREADS];
static struct writer writers[THREADS];
static uint32_t *kernels_words; /* device memory: where they stand in `buffers` */
static volatile bool stop;

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

static void file_holds(const struct writer *writer, const char *call)
{
    unsigned char seen[BUFFER];

    SCENE_NEED(pread(fileno(writer->file), seen, BUFFER, 0) == BUFFER &&
                   memcmp(seen, writer->bytes, BUFFER) == 0,
               "%s wrote something else, round %llu", call, writer->rounds);
}

static void buffer_holds(const struct writer *writer, const char *call)
{
    SCENE_NEED(memcmp(writer->buffer, writer->bytes, BUFFER) == 0, "%s read something else, round %llu", call,
               writer->rounds);
}

/* Other bytes, in the file only. */
static void new_bytes(struct writer *writer)
{
    writer->rounds++;
    for (size_t i = 0; i < BUFFER; i++)
        writer->bytes[i] = (unsigned char)(i * 31 + writer->rounds * 7 + (size_t)(writer - writers));
    SCENE_NEED(pwrite(fileno(writer->file), writer->bytes, BUFFER, 0) == BUFFER, "pwrite");
}

static void empty_file(const struct writer *writer)
{
    SCENE_NEED(ftruncate(fileno(writer->file), 0) == 0, "ftruncate");
    rewind(writer->file);
}

/* From the file into managed memory and back out, by read() and write(), then by fread() and fwrite(). */
static void *writer_thread(void *argument)
{
    struct writer *writer = argument;
    const int file = fileno(writer->file);

    while (!stop) {
        new_bytes(writer);
        SCENE_NEED(lseek(file, 0, SEEK_SET) == 0 && read(file, writer->buffer, BUFFER) == BUFFER, "read");
        buffer_holds(writer, "read");
        empty_file(writer);
        SCENE_NEED(lseek(file, 0, SEEK_SET) == 0 && write(file, writer->buffer, BUFFER) == BUFFER, "write");
        file_holds(writer, "write");

        new_bytes(writer);
        rewind(writer->file);
        SCENE_NEED(fread(writer->buffer, 1, BUFFER, writer->file) == BUFFER, "fread");
        buffer_holds(writer, "fread");
        empty_file(writer);
        SCENE_NEED(fwrite(writer->buffer, 1, BUFFER, writer->file) == BUFFER && fflush(writer->file) == 0,
                   "fwrite");
        file_holds(writer, "fwrite");
    }
    return NULL;
}

static void writers_begin(pthread_t *thread)
{
    uint32_t at[THREADS];

    for (int t = 0; t < THREADS; t++) {
        at[t] = (uint32_t)t * BUFFER_WORDS;
        buffers[at[t]] = 0;
        writers[t].buffer = (unsigned char *)(buffers + at[t] + 1);
        writers[t].file = fdopen(memfd_create("writer", MFD_CLOEXEC), "w+");
        SCENE_NEED(writers[t].file, "no file");
    }
    SCENE_CALL(cudaMalloc((void **)&kernels_words, sizeof at));
    SCENE_CALL(cudaMemcpy(kernels_words, at, sizeof at, cudaMemcpyHostToDevice));
    for (int t = 0; t < THREADS; t++)
        SCENE_NEED(pthread_create(&thread[t], NULL, writer_thread, &writers[t]) == 0, "no thread");
}

static unsigned long long writers_end(const pthread_t *thread, unsigned launches)
{
    unsigned long long rounds = 0;

    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        rounds += writers[t].rounds;
        SCENE_NEED((unsigned)buffers[t * BUFFER_WORDS] == launches,
                   "writer %d: the kernels' word is %d after %u", t, buffers[t * BUFFER_WORDS], launches);
    }
    return rounds;
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

/* A kernel on the lines, one on the words between the buffers if they are in use, sometimes a prefetch of
 * parts. */
static void launch(unsigned number, bool with_writers)
{
    SCENE_CALL(here_hammer(lines, LINES, SHARED, 0));
    if (with_writers)
        SCENE_CALL(here_add_at(buffers, THREADS * BUFFER_WORDS, kernels_words, THREADS, 1, false, 0));
    if (number % 4 == 3)
        SCENE_CALL(um_prefetch(lines, MiB, number % 8 == 3 ? 0 : cudaCpuDeviceId, 0));
    if (number % 4 == 2 && with_writers)
        SCENE_CALL(um_prefetch(buffers, THREADS * BUFFER_STEP, number % 8 == 2 ? 0 : cudaCpuDeviceId, 0));
    if (number % 3 != 2)
        SCENE_CALL(cudaDeviceSynchronize());
}

static void hammer(void)
{
    const size_t bytes = LINES * WORDS * sizeof *lines;
    const bool with_writers = scene_setting("UM_IO", 0);
    const double end = seconds_now() + 1e-3 * (double)scene_setting("UM_MS", 1000);
    pthread_t thread[THREADS], writer[THREADS];
    unsigned launches = 0;
    unsigned long long touches = 0, rounds = 0;

    SCENE_CALL(cudaMallocManaged((void **)&lines, bytes + THREADS * BUFFER_STEP, cudaMemAttachGlobal));
    memset(lines, 0, bytes);
    buffers = (int *)(lines + LINES * WORDS);
    if (with_writers)
        writers_begin(writer);
    for (int t = 0; t < THREADS; t++) {
        hands[t].number = t;
        SCENE_NEED(pthread_create(&thread[t], NULL, host_thread, &hands[t]) == 0, "no thread");
    }
    for (; seconds_now() < end || launches < LAUNCHES_MIN; launches++)
        launch(launches, with_writers);
    SCENE_CALL(cudaDeviceSynchronize());
    stop = true;
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        touches += hands[t].touches;
    }
    if (with_writers)
        rounds = writers_end(writer, launches);
    check(launches);
    printf("launches=%u\ntouches=%llu\nrounds=%llu\n", launches, touches, rounds);
}
SCENE("hammer", hammer)

static void under(const char *schedule, bool with_writers)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "hammer",
                         .settings = {schedule, long_version() ? "UM_MS=10000" : "UM_MS=1000",
                                      with_writers ? "UM_IO=1" : "UM_IO=0"},
                         .limit_s = 60};
    again(&run);
    if (!again_ended_well(&run))
        return;
    CU_ASSERT(again_number(&run, "launches") >= LAUNCHES_MIN);
    CU_ASSERT(again_number(&run, "touches") > 1000);
    CU_ASSERT(!with_writers || again_number(&run, "rounds") > 2 * THREADS);
    if (long_version())
        printf("        %s: %llu launches, %llu host updates, %llu rounds of system calls\n", schedule,
               again_number(&run, "launches"), again_number(&run, "touches"), again_number(&run, "rounds"));
}

static void no_update_is_lost_under_lazy(void)
{
    under("UMSIM_SCHED=lazy", false);
}

static void no_update_is_lost_under_eager(void)
{
    under("UMSIM_SCHED=eager", false);
}

static void no_update_is_lost_with_read_write_fread_and_fwrite_meanwhile(void)
{
    under("UMSIM_SCHED=lazy", true);
}

static void eagerly_with_files(void)
{
    under("UMSIM_SCHED=eager", true);
}

UM_TESTS("eight threads and kernels on one allocation",
         {"no update is lost under lazy", no_update_is_lost_under_lazy},
         {"no update is lost under eager", no_update_is_lost_under_eager},
         {"no update is lost with read, write, fread and fwrite meanwhile, under lazy",
          no_update_is_lost_with_read_write_fread_and_fwrite_meanwhile},
         {"no update is lost with read, write, fread and fwrite meanwhile, under eager", eagerly_with_files});
