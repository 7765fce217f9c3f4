/**
 * @file launches.h
 * @brief The ring of launches, and the launch that the workers share.
 *
 * The host writes launches into a ring and raises `submitted` (base/processes.h). The GPU process runs them
 * in order and raises `completed`. A kernel that fails stops the ring: `fault` says what the kernel did, and
 * the launches behind it do not run.
 */
#ifndef UMSIM_LAUNCHES_H
#define UMSIM_LAUNCHES_H

#include "../include/umsim/abi.h"
#include "../space/measured.h"

#include <stdatomic.h>
#include <stdbool.h>

/** Launches that can wait in the ring. As many as make a switch between the processes cheap on a busy
 * machine. */
#define UMSIM_RING 256
/** Room for the closures of a full ring, and for one that did not fit before the end. */
#define UMSIM_CLOSURES ((UMSIM_RING + 1) * UMSIM_CLOSURE_MAX)

/** What a launch's kernels have launched, in all (nested.h). */
struct umsim_nested {
    uint64_t ns;                      /* modelled time */
    uint64_t grids;                   /* how many */
    uint64_t blocks, threads_a_block; /* the widest, where it is wider than the launch itself; else 0 */
};

/** One grid, as the GPU process sees it: a launch of the host's, or one of a kernel's. */
struct umsim_command {
    /* by value: the original may stand in memory that the GPU process may not read */
    struct umsim_kernel kernel;
    struct umsim_geometry geometry;
    size_t dynamic_shared;
    uint64_t blocks, threads_a_block;
    bool cooperative; /* blocks may wait for each other */
    bool measure;     /* the kernel declared no bytes: its pages are opened in small units, and counted */
    struct umsim_measured measured;
    struct umsim_nested nested;
    unsigned pending_limit; /* launches by kernels that may wait: cudaLimitDevRuntimePendingLaunchCount */
    unsigned depth;         /* grids above it: 0 for the host's launch */
    uint64_t number;        /* in the order in which grids ran, from 1 */
    const char *closure;    /* in umsim_shared.closures, or of a kernel's launch in the pool of these */
};

/** What a kernel did wrong. */
struct umsim_kernel_fault {
    atomic_bool set;
    int error;        /* cudaError_t */
    char reason[384]; /* empty for an address */
    void *address;
    bool is_write, access_known;
    uint3 block_index, thread_index;
    bool thread_known;
    char kernel[128];
};

/** Shared by both processes, mapped before the first fork. */
struct umsim_launches {
    uint64_t clock_khz;
    atomic_bool in_flight; /* a kernel runs now */
    char nested_name[128]; /* the kernel that a kernel has launched and that runs now; empty: none */
    struct umsim_kernel_fault fault;
    /* The launch that completed last has printed something (devlib/print.h): the GPU process waits (futex)
     * until the host has fetched it and sets 0. */
    atomic_uint printed;

    /* one launch, while the workers share it */
    atomic_uint job; /* futex: its number */
    atomic_uint job_sleeps;
    atomic_uint job_left; /* workers that still have a hand in it */
    atomic_ullong next_block;
    atomic_bool abandon; /* a worker faulted, or the host gave up: the others stop at their next block */

    struct umsim_command ring[UMSIM_RING];
    _Alignas(64) char closures[UMSIM_CLOSURES];
};

/** Mapped before the first fork, for good. */
extern struct umsim_launches *umsim_launches;

#endif
