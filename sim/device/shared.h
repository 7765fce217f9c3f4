/**
 * @file shared.h
 * @brief The memory through which the host process and the GPU process talk.
 *
 * The host writes launches into a ring and raises `submitted`; the GPU process runs them in order and raises
 * `completed`. A kernel that fails stops the ring: what it did is in `fault`, and the launches behind it are
 * not run. The rest says what a kernel may reach; the GPU process opens its own view of it page by page, as
 * it is touched.
 */
#ifndef UMSIM_SHARED_H
#define UMSIM_SHARED_H

#include "../include/umsim_abi.h"
#include "../base/request.h"
#include "../space/counted.h"
#include "../space/layout.h"
#include "../space/opened.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>

/** Launches that can wait in the ring. As many as make a switch between the processes cheap on a busy
 * machine. */
#define UMSIM_RING 256
/** Room for the closures of a full ring, and for one that did not fit before the end. */
#define UMSIM_CLOSURES ((UMSIM_RING + 1) * UMSIM_CLOSURE_MAX)
#define UMSIM_WORKERS_MAX 64

/** Memory that a kernel reaches, as far as its time goes. */
enum umsim_reach {
    UMSIM_REACH_DEVICE,
    UMSIM_REACH_HOST,
    UMSIM_REACH_MANAGED, /**< on the device, once it is there */
    UMSIM_REACH_REMOTE,  /**< managed, read and written where the host has it */
    UMSIM_REACHES
};

/** Bytes of the pages that a launch read, wrote. */
struct umsim_measured {
    atomic_ullong read[UMSIM_REACHES], written[UMSIM_REACHES];
    atomic_ullong cycles; /* that a thread has seen pass on its clock, at most (cycles.c) */
};

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

/** Requests that can wait for the clerk (clerk.h), and the largest part of a copy that goes through at once.
 */
#define UMSIM_REQUESTS 64
#define UMSIM_BOUNCE_BYTES ((size_t)1 << 20)

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

/** A stretch of managed memory with its own paging state: the managed arena, or a module's __managed__
 * variables. */
struct uvm_space;
#define UMSIM_SPACES_MAX 64
struct umsim_managed_space {
    char *base;
    size_t bytes;
    char *window;             /* another read-write view: of the process that keeps the books */
    struct uvm_space *policy; /* in that process, too */
    /* per side (enum uvm_processor) and 2 MiB block: what is really open. It never exceeds what the policy
     * grants, but for the pages that the running launch has touched and that are charged when it retires. */
    struct umsim_opened_block *opened[2];
    size_t opened_end[2]; /* no block at or beyond this was ever open */
};

/** Host memory of cudaHostRegister: the host's pages have been replaced by pages of a file that both can map.
 */
#define UMSIM_REGISTERED_MAX 4096
enum umsim_registered_state { UMSIM_REGISTERED_FREE, UMSIM_REGISTERED_LIVE, UMSIM_REGISTERED_STALE };
struct umsim_registered {
    atomic_int state; /* STALE: no longer registered; the GPU process has yet to unmap it */
    char *base;       /* whole pages */
    size_t bytes;
    size_t offset;    /* in the file of registered memory */
    unsigned holders; /* registrations that need it; the host's business */
    bool open;        /* to the GPU process's kernels, some of it: its business */
};

/** A module's __device__ or __constant__ variables: the host may not touch them, kernels may. */
#define UMSIM_SECTIONS_MAX 128
struct umsim_section {
    char *base;
    size_t bytes;
    char *window; /* as a managed space's */
};

/**
 * The host process's life, as others see it: a robust futex that a thread of the host holds and never lets
 * go. The kernel sets FUTEX_OWNER_DIED when that thread ends: at the end of the process, however it comes
 * about, and at an exec(), which ends all threads but one. What the host forks has no part in it.
 */
struct umsim_life {
    struct robust_list_head held; /* of that thread: set_robust_list(2) */
    struct robust_list entry;
    atomic_uint holder; /* futex: 0 until it is held, then its thread and FUTEX_WAITERS */
};

struct umsim_shared {
    /* the GPU process */
    atomic_uint checked_in; /* workers that stand ready */
    atomic_uint ready;      /* futex: 1 when the GPU process takes work */
    atomic_uint park;       /* the first thread has left the C world */
    struct umsim_life host; /* the parked first thread waits for its end */
    int worker_tid[UMSIM_WORKERS_MAX];
    uint64_t clock_khz;
    unsigned scrubbed, maps; /* for tests: mappings closed, mappings seen */

    /* launches */
    atomic_uint submitted; /* futex: the GPU process sleeps on it */
    atomic_uint completed; /* futex: the host sleeps on it */
    atomic_uint gpu_sleeps, host_sleeps;
    atomic_uint host_wants; /* the value of `completed` at which a sleeping host is woken */
    atomic_bool in_flight;  /* a kernel runs now */
    char nested_name[128];  /* the kernel that a kernel has launched and that runs now; empty: none */
    struct umsim_kernel_fault fault;

    /* one launch, while the workers share it */
    atomic_uint job; /* futex: its number */
    atomic_uint job_sleeps;
    atomic_uint job_left; /* workers that still have a hand in it */
    atomic_ullong next_block;
    atomic_bool abandon; /* a worker faulted, or the host gave up: the others stop at their next block */

    /* The launch that completed last has opened managed pages that have to be charged to it: the GPU process
     * waits (futex) until the host has done so and sets 0. */
    atomic_uint touched;
    /* The same for a launch that has printed something (print.h). */
    atomic_uint printed;

    /* what kernels may reach. The GPU process opens pages as its kernels touch them; the host says here what
     * has to be closed before the next launch. */
    atomic_bool device_stale, pinned_stale, managed_stale, registered_changed;
    struct umsim_registered registered[UMSIM_REGISTERED_MAX];
    atomic_uint registered_used;

    struct umsim_command ring[UMSIM_RING];
    _Alignas(64) char closures[UMSIM_CLOSURES];

    /* grading mode: what the host asks the clerk */
    _Alignas(64) atomic_uint posted; /* futex: the clerk sleeps on it */
    atomic_uint handled;             /* futex: the host sleeps on it */
    atomic_uint clerk_sleeps, poster_sleeps;
    struct umsim_request request[UMSIM_REQUESTS];
    struct umsim_answer answer;
    _Alignas(UMSIM_PAGE) char bounce[UMSIM_BOUNCE_BYTES];

    /* the books: from here on it is the keeper's own (clerk.h). First what the host has a copy of */
    _Alignas(UMSIM_PAGE) struct umsim_managed_space space[UMSIM_SPACES_MAX];
    atomic_uint spaces;
    struct umsim_section section[UMSIM_SECTIONS_MAX];
    atomic_uint sections;
    /* ... then what is the GPU process's alone */
    _Alignas(UMSIM_PAGE) atomic_flag gpu_opened_lock;
    struct umsim_opened gpu_opened;
    struct umsim_counted counted;
};

/** Mapped before the first fork, for good. */
extern struct umsim_shared *umsim_shared_state;

/** Whether this is the GPU process. */
extern bool umsim_in_gpu;

#endif
