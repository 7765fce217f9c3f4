/**
 * @file start.c
 * @brief How long the simulator takes to start: the first CUDA call of a process, and a whole program with
 * one call.
 *
 * The floor of the first is a bare fork with its wait, because the GPU process is a fork; that of the second
 * is the same program without a CUDA call. `start once` and `start nothing` are those programs.
 */
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static double *shared;

static void wait_for(pid_t child)
{
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "a child of the benchmark failed\n");
        exit(1);
    }
}

/* A fresh process makes its first CUDA call, and says how long that took. */
static double first_call_us(void)
{
    pid_t child = fork();
    if (child == 0) {
        double start = bench_now_us();
        BENCH_NEED(cudaFree(NULL));
        *shared = bench_now_us() - start;
        exit(0);
    }
    wait_for(child);
    return *shared;
}

static double fork_us(void)
{
    double start = bench_now_us();
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    wait_for(child);
    return bench_now_us() - start;
}

static double program_us(const char *mode)
{
    double start = bench_now_us();
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "start", mode, (char *)NULL);
        _exit(127);
    }
    wait_for(child);
    return bench_now_us() - start;
}

int main(int argc, char **argv)
{
    enum { RUNS = 101 };
    static double first[RUNS], fork_only[RUNS], once[RUNS], nothing[RUNS];
    if (argc > 1) {
        if (strcmp(argv[1], "once") == 0)
            BENCH_NEED(cudaFree(NULL));
        return 0;
    }
    bench_simulator_only();
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < RUNS; i++) {
        first[i] = first_call_us() / 1e3;
        fork_only[i] = fork_us() / 1e3;
        once[i] = program_us("once") / 1e3;
        nothing[i] = program_us("nothing") / 1e3;
    }
    struct bench_row call = {.work = "start: the first CUDA call",
                             .unit = "ms",
                             .ours = bench_median(first, RUNS),
                             .peer = bench_median(fork_only, RUNS),
                             .peer_name = "fork and wait",
                             .target = 2};
    struct bench_row program = {.work = "start: a program with one CUDA call, start to end",
                                .unit = "ms",
                                .ours = bench_median(once, RUNS),
                                .peer = bench_median(nothing, RUNS),
                                .peer_name = "without the call"};
    bench_print(&call);
    bench_print(&program);
    return 0;
}
