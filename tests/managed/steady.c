/**
 * @file steady.c
 * @brief Counts and times depend on the program alone: not on how many workers there are, nor on how busy the machine is.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "again.h"
#include "kernels.h"
#include "kernels_here.h"
#include "moves.h"

enum { PLACES = 800, BURNERS = 4 };

static int *array(size_t bytes)
{
    int *x = NULL;

    SCENE_CALL(cudaMallocManaged((void **)&x, bytes, cudaMemAttachGlobal));
    return x;
}

/* Kernels whose threads fault all over the place, at the same time, with advice of each kind. */
static void scattered(int *x, size_t n, const uint32_t *at, bool declared)
{
    SCENE_CALL(here_add_at(x, n, at, PLACES, 1, declared, 0));
    SCENE_CALL(cudaDeviceSynchronize());
    for (size_t i = 0; i < n; i += 40000)
        x[i]++;
    SCENE_CALL(um_strided_touch((void *)x, n, 10000, 0));
    SCENE_CALL(um_add_one(x + n / 2, n / 2, 0));
    SCENE_CALL(cudaMemcpy(x, x + n / 2, n, cudaMemcpyDefault));
    SCENE_CALL(cudaDeviceSynchronize());
}

static void work(void)
{
    static uint32_t at[PLACES];
    const size_t bytes = 6 * MiB, n = bytes / sizeof(int);
    uint32_t *d_at = NULL;
    int *a = array(bytes), *b = array(bytes);
    struct umsim_counters counters;

    for (size_t i = 0; i < PLACES; i++)
        at[i] = (uint32_t)((i * 2654435761u) % n);
    SCENE_CALL(cudaMalloc((void **)&d_at, sizeof at));
    SCENE_CALL(cudaMemcpy(d_at, at, sizeof at, cudaMemcpyHostToDevice));
    memset(a, 0, bytes);
    scattered(a, n, d_at, true);
    scattered(b, n, d_at, false);
    SCENE_CALL(um_advise(a, bytes, cudaMemAdviseSetReadMostly, 0));
    SCENE_CALL(um_advise(b, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    scattered(a, n, d_at, false);
    scattered(b, n, d_at, true);
    umsim_counters_read(&counters);
    counters_print(&counters);
    printf("time_ns=%llu\n", (unsigned long long)umsim_time_ns());
}
SCENE("work", work)

static void same_as(const char *first, const char *threads, const char *how)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "work", .settings = {threads}};
    again(&run);
    if (!again_ended_well(&run) || strcmp(run.out, first) == 0)
        return;
    for (const char *a = run.out, *b = first; *a && *b;
         a += strcspn(a, "\n") + 1, b += strcspn(b, "\n") + 1) {
        const int length = (int)strcspn(a, "\n"), length_alone = (int)strcspn(b, "\n");

        if (length != length_alone || strncmp(a, b, (size_t)length) != 0)
            UM_FAIL("%s, %s: %.*s, but with one worker, alone: %.*s", threads, how, length, a, length_alone,
                    b);
    }
}

static const char *alone(void)
{
    static struct again run;

    memset(&run, 0, sizeof run);
    run = (struct again){.scene = "work", .settings = {"UMSIM_THREADS=1"}};
    again(&run);
    CU_ASSERT_FATAL(again_ended_well(&run));
    CU_ASSERT(again_number(&run, "gpu_fault_groups") > 0);
    CU_ASSERT(again_number(&run, "bytes_migrated_dtoh") > 0);
    return run.out;
}

static const char *const threads[] = {"UMSIM_THREADS=1", "UMSIM_THREADS=2", "UMSIM_THREADS=4",
                                      "UMSIM_THREADS=7"};
enum { KINDS = sizeof threads / sizeof *threads };

static void whatever_the_workers(void)
{
    const char *first = alone();

    for (int i = 0; i < KINDS * (long_version() ? 5 : 1); i++)
        same_as(first, threads[i % KINDS], "alone");
}

/* Busy loops beside it, more than the machine has cores. */
static void whatever_the_load(void)
{
    const char *first = alone();
    pid_t burner[BURNERS];

    for (int i = 0; i < BURNERS; i++) {
        burner[i] = fork();
        if (burner[i] == 0) {
            alarm(60);
            for (volatile unsigned spin = 0;; spin++) {
            }
        }
    }
    for (int i = 0; i < KINDS * (long_version() ? 5 : 1); i++)
        same_as(first, threads[i % KINDS], "beside busy processes");
    for (int i = 0; i < BURNERS; i++) {
        kill(burner[i], SIGKILL);
        waitpid(burner[i], NULL, 0);
    }
}

UM_TESTS("steady", {"counts and times do not depend on UMSIM_THREADS", whatever_the_workers},
         {"counts and times do not depend on the machine's load", whatever_the_load});
