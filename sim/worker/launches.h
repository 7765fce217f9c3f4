/**
 * @file launches.h
 * @brief The ring of launches, and the launch that the workers share.
 *
 * The host writes launches into a ring and raises `submitted` (base/processes.h). The GPU process runs them
 * in order and raises `completed`. A kernel that fails stops the ring: `fault` says what the kernel did, and
 * the launches behind it do not run. Several devices share the ring: each one's process runs its own
 * launches, when it is their turn.
 */
#ifndef UMSIM_LAUNCHES_H
#define UMSIM_LAUNCHES_H

#include "../include/umsim/abi.h"
#include "../include/umsim/reach.h"
#include "../base/devices.h"
#include "../space/measured.h"
#include "counts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/** Launches that can wait in the ring: enough to make a switch between the processes cheap on a busy
 * machine. */
#define UMSIM_RING 256
/** Space for the closures of a full ring, and for one that did not fit before the end. */
#define UMSIM_CLOSURES ((UMSIM_RING + 1) * UMSIM_CLOSURE_MAX)

/** The numbers that graphs' conditional nodes ask: places for the life of a program. */
#define UMSIM_CONDITION_PLACES 65536

/** The sum of what a launch's kernels have launched (nested.h). */
struct umsim_nested {
    uint64_t ns;                      /* modelled time */
    uint64_t grids;                   /* their number */
    uint64_t blocks, threads_a_block; /* of the widest grid, if wider than the launch; else 0 */
};

#define UMSIM_UNORDERED_MAX 16

/** Under --check: the numbers of kernels that nothing puts in order with a launch (queue/unordered.h). */
struct umsim_unordered {
    uint64_t number[UMSIM_UNORDERED_MAX];
    unsigned count;
};

/** One grid, as the GPU process sees it: a launch by the host, or by a kernel. */
struct umsim_command {
    /* by value, because the original may lie in memory that the GPU process may not read */
    struct umsim_kernel kernel;
    struct umsim_geometry geometry;
    size_t dynamic_shared;
    uint64_t blocks, threads_a_block;
    struct umsim_stands_for stands_for; /* as which grid it is priced; 0 blocks: as this one */
    bool cooperative;                   /* blocks may wait for each other */
    bool counts;   /* instead of measuring, some of its blocks are counted (count/count.h) */
    unsigned slot; /* of umsim_launches->counted */
    /* Whose process runs it. The host stores it for a later launch while another device's process may still
     * look for this one: with release, so that whoever reads the later one also sees that this one is over.
     */
    atomic_uint device;
    bool measure; /* the kernel declared no bytes, so its pages are opened in small units and counted */
    unsigned pending_limit; /* how many launches by kernels may wait: cudaLimitDevRuntimePendingLaunchCount */
    size_t stack_limit;     /* cudaLimitStackSize */
    unsigned depth;         /* grids above it: 0 for the host's launch */
    uint64_t number;        /* in the order in which grids ran, from 1 */
    struct umsim_unordered unordered;
    uint64_t issued; /* under --check, of the host's launches: their numbers in `unordered` */
    /* The host's launches have numbers. When this one was issued, it had waited for all up to `waited_for`.
     */
    uint64_t launch, waited_for;
    const void *launched; /* where */
    const char *closure;  /* in umsim_launches->closures, or in the pool of the launches by kernels */
    size_t closure_bytes;
    /* What the GPU process says at its end. Each process writes only what is another value than before, as
     * that mostly is none, and a line of the cache that both write goes from one processor to the other. */
    _Alignas(64) struct umsim_measured measured;
    struct umsim_nested nested;
    atomic_bool touched; /* it has opened managed pages, and waits until they are charged to it */
};

/** Makes `to` the same as `from`, without a write if it is so already. Atomic members are not stored as such.
 */
static inline void umsim_tell(void *to, const void *from, size_t bytes)
{
    if (memcmp(to, from, bytes))
        memcpy(to, from, bytes);
}

/** An operation that C++ leaves undefined, and that umcc could not define (fault/undefined_operation.h). */
enum umsim_operation { UMSIM_NO_OPERATION, UMSIM_CONVERSION, UMSIM_SHIFT, UMSIM_DIVISION };

/** What a kernel did wrong. */
struct umsim_kernel_fault {
    atomic_bool set;
    int error;        /* cudaError_t */
    char reason[384]; /* empty when the fault is a bad address or an operation */
    void *address;    /* of an operation: of g++'s description of it, which only the host can read */
    enum umsim_operation operation;
    uint64_t values[2]; /* the operation's, as g++ hands them over */
    bool is_write, access_known;
    uint3 block_index, thread_index;
    bool thread_known;
    char kernel[128];
    const void *launched; /* where the kernel was; NULL: not known */
    unsigned device;      /* which ran it */
};

/** Shared by both processes, mapped before the first fork. */
struct umsim_launches {
    uint64_t clock_khz;
    atomic_bool in_flight; /* a kernel runs now */
    char nested_name[128]; /* the running kernel, if a kernel has launched it; else empty */
    struct umsim_kernel_fault fault;
    /* The launch that completed last has printed something (devlib/print.h). The GPU process waits (futex)
     * until the host has fetched the text and sets 0. */
    atomic_uint printed;

    /* the launch that the workers share: the host has no part in it */
    _Alignas(64) struct umsim_team {
        atomic_uint job; /* futex: its number */
        atomic_uint job_sleeps;
        atomic_uint job_left;  /* workers that still take part in it */
    } team[UMSIM_DEVICES_MAX]; /* each device's workers */
    atomic_ullong next_block;
    atomic_bool abandon; /* a worker faulted, or the host gave up; the others stop at their next block */

    _Alignas(64)
        atomic_uint conditions[UMSIM_CONDITION_PLACES]; /* by handle - 1; kernels and the host set them */

    struct umsim_command ring[UMSIM_RING];
    struct umsim_counts counted[UMSIM_RING + 1]; /* by `slot`; written by launches that are counted; the last
                                                    one is that of kernels which kernels launch */
    _Alignas(64) char closures[UMSIM_CLOSURES];
};

/** Mapped before the first fork, for good. */
extern struct umsim_launches *umsim_launches;

#endif
