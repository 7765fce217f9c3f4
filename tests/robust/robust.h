/**
 * @file robust.h
 * @brief For the robustness programs: a main that runs one case by its name, and what most cases need.
 *
 *     static void child_is_refused() { ...; HOLDS(status == 0, "status %#x", status); }
 *     ROBUST_CASES({"child-is-refused", child_is_refused})
 *
 * Each case is a process of its own: `processes child-is-refused`. Exit 0 when all held, 1 with what did not,
 * 2 with `SKIP: reason` where it cannot run. run.py starts them and says what else has to hold.
 */
#ifndef ROBUST_ROBUST_H
#define ROBUST_ROBUST_H

#include "../programs/need.h"

#include "um_cuda_compat.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef UMSIM_PAGE_BYTES /* the simulator's */
enum { PAGE = UMSIM_PAGE_BYTES };
#else
enum { PAGE = 4096 };
#endif

/** What a case's own argument was, or "". */
inline const char *robust_argument = "";

struct robust_case {
    const char *name;
    void (*body)();
};

inline int robust_main(const robust_case *cases, size_t count, int argc, char **argv)
{
    if (argc > 2)
        robust_argument = argv[2];
    for (size_t i = 0; argc > 1 && i < count; i++)
        if (strcmp(cases[i].name, argv[1]) == 0) {
            cases[i].body();
            return 0;
        }
    fprintf(stderr, "usage: %s CASE, one of:", argv[0]);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", cases[i].name);
    fputc('\n', stderr);
    return 3;
}

#define ROBUST_CASES(...)                                                                                    \
    int main(int argc, char **argv)                                                                          \
    {                                                                                                        \
        static const robust_case cases[] = {__VA_ARGS__};                                                    \
        return robust_main(cases, sizeof cases / sizeof *cases, argc, argv);                                 \
    }

/** Ends the case as skipped. */
#define CANNOT(...)                                                                                          \
    do {                                                                                                     \
        printf("SKIP: ");                                                                                    \
        printf(__VA_ARGS__);                                                                                 \
        putchar('\n');                                                                                       \
        exit(2);                                                                                             \
    } while (0)

/** How often something is repeated: `few` times, or `many` where UM_LONG=1 asks for all. */
inline int robust_times(int few, int many)
{
    const char *asked = getenv("UM_LONG");
    return asked && strcmp(asked, "1") == 0 ? many : few;
}

/** How many times as long as elsewhere this machine may take: UM_PATIENCE, 1 unless set. */
inline double robust_patience()
{
    const char *asked = getenv("UM_PATIENCE");
    const double patience = asked ? strtod(asked, NULL) : 1;
    return patience > 1 ? patience : 1;
}

/** How many pieces of memory are registered where `all` are asked for: 500 where Linux tells of a mapping
 * only by a list of all of them (before 6.11), as each registration asks. */
inline int robust_registrations(int all)
{
    utsname system;
    int major = 0, minor = 0;
    HOLDS(uname(&system) == 0 && sscanf(system.release, "%d.%d", &major, &minor) == 2,
          "which Linux is this?");
    return major * 100 + minor >= 611 || all < 500 ? all : 500;
}

/** Processor time of this process so far, seconds: other programs' load does not count. */
inline double robust_cpu_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

inline void robust_sleep_ms(long ms)
{
    timespec pause = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&pause, &pause) != 0 && errno == EINTR) {
    }
}

/** A generator of its own for each thread (xorshift64*); `state` begins with anything but 0. */
inline uint64_t robust_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

/** A number below `end`. */
inline size_t robust_below(uint64_t *state, size_t end)
{
    return (size_t)(robust_random(state) >> 16) % end;
}

/** Adds `value` to each of `count` elements. */
static __global__ void add_to_all(int *x, int value, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < count)
        x[i] += value;
}

/** The same as a call, which waits. */
static inline void gpu_adds(int *x, int value, int count)
{
    add_to_all<<<(unsigned)(count + 255) / 256, 256>>>(x, value, count);
    NEED(cudaGetLastError());
    NEED(cudaDeviceSynchronize());
}

/** Managed memory of `count` zeros. */
static inline int *managed_ints(int count)
{
    int *p = NULL;

    NEED(cudaMallocManaged((void **)&p, (size_t)count * sizeof *p));
    memset(p, 0, (size_t)count * sizeof *p);
    return p;
}

/** Brings managed memory to the GPU: the host's next touch is a page fault. */
static inline void to_gpu(const void *p, size_t bytes)
{
    NEED(um_prefetch(p, bytes, 0, 0));
    NEED(cudaDeviceSynchronize());
}

/** Copies, computes, and touches managed memory on both sides: all that a program needs of its GPU. */
static inline void gpu_works(const char *when)
{
    int here[64], *there = NULL, *managed = managed_ints(64);

    for (int i = 0; i < 64; i++)
        here[i] = i;
    NEED(cudaMalloc((void **)&there, sizeof here));
    NEED(cudaMemcpy(there, here, sizeof here, cudaMemcpyHostToDevice));
    add_to_all<<<1, 64>>>(there, 5, 64);
    NEED(cudaMemcpy(here, there, sizeof here, cudaMemcpyDeviceToHost));
    gpu_adds(managed, 7, 64);
    for (int i = 0; i < 64; i++)
        HOLDS(here[i] == i + 5 && managed[i] == 7, "%s, element %d: %d, %d", when, i, here[i], managed[i]);
    NEED(cudaFree(there));
    NEED(cudaFree(managed));
}

/** Runs `body` in a forked child, which leaves by _exit(7). @return its status as waitpid() gives it */
static inline int status_of_child(void (*body)())
{
    int status = -1;

    fflush(NULL);
    const pid_t child = fork();
    HOLDS(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        body();
        _exit(7);
    }
    HOLDS(waitpid(child, &status, 0) == child, "waitpid: %s", strerror(errno));
    return status;
}

static inline bool exited_with(int status, int code)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

#endif
