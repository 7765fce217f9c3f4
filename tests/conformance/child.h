/**
 * @file child.h
 * @brief Runs what has to have a process of its own: a body in a child that has never called CUDA.
 *
 *     struct answers { cudaError_t synchronize; };
 *     static void body(void *area) { struct answers *a = area; CHILD_NEED(cudaMalloc(...)); a->synchronize =
 * ...; }
 *
 *     struct answers a = {0};
 *     if (child_run(body, &a, sizeof a)) UM_RETURNS("...", a.synchronize);
 *
 * CUDA cannot be used in a process that was forked after CUDA started, and the runner itself uses CUDA for
 * all that is harmless. So a fork server is forked before the runner's first CUDA call (from
 * um_test_cannot_run(), which stands here for the whole executable), and every child is forked from there.
 */
#ifndef CONFORMANCE_CHILD_H
#define CONFORMANCE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "um_check.h"

/** Exit status of a child in which something failed that was only preparation. */
#define CHILD_CANNOT 90
/** What a child can give back, bytes. */
#define CHILD_AREA_MAX ((size_t)65536)

/**
 * Runs body(area) in a fresh child, where `area` is a copy of `result`, and copies it back when the child has
 * ended. A child that takes longer than a minute gets SIGALRM.
 * @return whether the child ran to its end; if not, the test has failed, with the child's stderr as the
 * reason.
 */
bool child_run(void (*body)(void *area), void *result, size_t bytes);

/** Ends what cannot go on: a child exits with CHILD_CANNOT; in the runner the running test fails and ends. */
_Noreturn void child_cannot(const char *file, int line, const char *what);

/** The call has to succeed, else the child, or the runner's test, says which did not, and ends. */
#define CHILD_NEED(call)                                                                                     \
    do {                                                                                                     \
        if (!UM_CHECK(call))                                                                                 \
            child_cannot(__FILE__, __LINE__, #call);                                                         \
    } while (0)

/** The condition has to hold, else the child, or the runner's test, says so and ends. */
#define CHILD_ASSERT(condition)                                                                              \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            child_cannot(__FILE__, __LINE__, #condition);                                                    \
    } while (0)

/** Skips the running test where kernels may follow the host's pointers: on a device with
 * pageableMemoryAccess, and on the simulator under AddressSanitizer. */
void need_separate_memories(void);

/** Skips the running test unless the device has concurrentManagedAccess. */
void need_concurrent_managed(void);

#endif
