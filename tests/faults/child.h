/**
 * @file child.h
 * @brief Runs the body of a fault test in a child process, and gives its results back.
 *
 *     struct seen { struct um_fault fault; };
 *     static void body(void *area) { struct seen *seen = area; ... CHILD_NEED(cudaMalloc(...)); ... }
 *
 *     struct seen seen;
 *     struct child child;
 *     child_run(body, &seen, sizeof seen, &child);
 *     child_ended_well(&child);
 *
 * CUDA cannot be used in a process that was forked after CUDA started, and a kernel's fault spoils the
 * process for good. So the process of the runner never makes a CUDA call: each child starts CUDA itself, and
 * leaves by exit(). What a child asks of CUDA, it asks once for several tests where it can: starting takes
 * long on hardware.
 */
#ifndef FAULTS_CHILD_H
#define FAULTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "device_facts.h"

/** Exit status of a child in which something failed that was only preparation. */
#define CHILD_CANNOT 90

/** How a child ended, and what it wrote to stderr. */
struct child {
    int status;     /**< as waitpid() gives it */
    char err[8192]; /**< longer output is cut off */
};

/**
 * Runs body(area) in a child: `area` is shared memory of `bytes` bytes, a copy of what `result` holds, and is
 * copied back into `result` when the child has ended, however it did. A child that takes longer than 30 s
 * gets SIGALRM.
 */
void child_run(void (*body)(void *area), void *result, size_t bytes, struct child *child);

/** Fails the test, with the child's stderr, unless the child ran to its end. @return whether it did. */
bool child_ended_well(const struct child *child);

/** In a child: the call has to succeed, else the child says which did not, and ends. */
#define CHILD_NEED(call)                                                                                     \
    do {                                                                                                     \
        if (!UM_CHECK(call))                                                                                 \
            _exit(CHILD_CANNOT);                                                                             \
    } while (0)

/** In a child: the condition has to hold, else the child says so and ends. */
#define CHILD_ASSERT(condition)                                                                              \
    do {                                                                                                     \
        if (condition)                                                                                       \
            break;                                                                                           \
        fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                        \
        _exit(CHILD_CANNOT);                                                                                 \
    } while (0)

/** Asked once, in a child. */
const struct device_facts *device_facts(void);

/** Skips the running test where kernels may follow the host's pointers. */
void need_separate_memories(void);

#endif
