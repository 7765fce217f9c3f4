/**
 * @file worker.h
 * @brief The threads of the GPU process that run thread blocks, and what each of them knows.
 *
 * GPU process only.
 *
 * Worker 0 takes launches from the ring; the other workers join when a launch has enough blocks. Everything
 * that a worker needs lies in memory that was made for it before the fork, because the heap is closed to the
 * GPU process (space/seal_host_memory.h). What a worker does is in device/. This file has only what it knows,
 * so that the functions that kernels call can find out which worker and thread calls them.
 */
#ifndef UMSIM_WORKER_H
#define UMSIM_WORKER_H

#include "launches.h"
#include "thread.h"
#include "../base/layout.h"

#include <setjmp.h>

/** The stack of a worker, and the least that a thread with a stack of its own has (stacks.h). */
#define UMSIM_WORKER_STACK ((size_t)8 << 20)
#define UMSIM_FIBER_STACK ((size_t)64 << 10)
#define UMSIM_STACK_GUARD (3 * UMSIM_PAGE)
/** By how much stacks begin at different offsets in their pages. */
#define UMSIM_FIBER_COLOUR ((size_t)320)
#define UMSIM_SIGNAL_STACK ((size_t)64 << 10)
/** The most threads and the most dynamic shared memory of a block (an H200's figures; smaller devices
 * fit). */
#define UMSIM_BLOCK_THREADS_MAX UMSIM_BLOCK_THREADS
#define UMSIM_DYNAMIC_SHARED_MAX ((size_t)232448)
/** Static shared memory of a block: CUDA's own limit, and the most variables that it may consist of. */
#define UMSIM_STATIC_SHARED_MAX ((size_t)48 << 10)
#define UMSIM_SHARED_VARIABLES_MAX 64
/** Under --check there is a gap before and behind each variable. */
#define UMSIM_SHARED_GAP ((size_t)64)
#define UMSIM_STATIC_SHARED_BYTES                                                                            \
    (UMSIM_STATIC_SHARED_MAX + (UMSIM_SHARED_VARIABLES_MAX + 1) * UMSIM_SHARED_GAP + UMSIM_PAGE -            \
     (UMSIM_SHARED_VARIABLES_MAX + 1) * UMSIM_SHARED_GAP % UMSIM_PAGE)
/** Both, one behind the other. */
#define UMSIM_SHARED_BYTES (UMSIM_STATIC_SHARED_BYTES + UMSIM_DYNAMIC_SHARED_MAX)

/** How far a launch's threads that poll may be by their clocks (device/pace.h). */
struct umsim_pace {
    uint64_t grid;          /* the launch's number; of another one nothing is known */
    uint64_t start_ns;      /* when it began, in real time */
    uint64_t passed_cycles; /* as much has passed since, at least */
    uint64_t due_ns;  /* since the last rest: when the first of those that are ahead goes on; 0: none is */
    bool others_poll; /* since then: a thread has polled that is not ahead */
};

struct umsim_worker {
    /* These come first: assembly knows where they are (device/one_stack.c). */
    struct umsim_fiber *current; /* NULL in kernels without barriers */
    void *scheduler_stack_pointer;
    bool one_stack; /* the block's threads run on the first slot, in turns (stacks.h) */

    unsigned index;
    char *stack, *stack_open; /* its lowest byte, and the lowest one that is open */
    char *signal_stack;
    char *static_shared, *dynamic_shared;
    char *kept; /* variables of kernels without fibers (umsim_keep()) */
    size_t kept_bytes, kept_open, kept_most;
    char *fiber_stacks; /* a slot for each thread of a block: a guard and a stack */
    size_t slot_bytes, slots_open, slots_guarded;
    struct umsim_fiber *goes_on; /* on one stack: who runs next; NULL: nobody */
    struct umsim_fiber *fibers;
    char *swap_area; /* memory for blocks that wait for others (grid.h) */
    size_t swap_bytes, swap_used, swap_open;

    /* the block's static __shared__ variables, in the order of their first use in a launch */
    struct umsim_shared_variable {
        const void *key;
        size_t offset, bytes;
    } shared[UMSIM_SHARED_VARIABLES_MAX];
    size_t shared_count, shared_bytes;
    /* The same for the form that the worker does not run now: a kernel's two forms may know a variable by two
     * keys, and place them in another order. */
    struct {
        struct umsim_shared_variable shared[UMSIM_SHARED_VARIABLES_MAX];
        size_t count, bytes;
    } other_form;
    bool is_counted_form; /* the worker's block runs in the counting form (umsim_worker_use_form()) */
    /* count/block.h: of the block that runs, NULL if nothing of it is counted; those that no block has; all
     */
    struct umsim_counting *counting, *counting_unused, *counting_all;

    /* the current launch */
    const struct umsim_command *command;
    uint3 block_index;
    uint3 thread_index;        /* of a thread without a fiber, in the counting form */
    struct umsim_fiber *alone; /* there, under --check: which thread runs; its index is all that it has */
    const char *alone_stack;   /* the end of its stack, which is the worker's */
    /* the thread that runs next when the worker lets the block go on; NULL when the block has ended */
    struct umsim_fiber *resume;
    struct umsim_warp warps[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    unsigned blocked;              /* threads outside the ring that have not ended */
    unsigned generation, released; /* barriers reached by the first thread of the block; by all */
    unsigned count[2];             /* threads whose predicate holds, at this barrier and the one before */
    struct umsim_place_in_source barrier;
    int common_line; /* which all threads wait at; 0: each notes its own */
    bool is_of_grid; /* a thread waits at the grid's barrier */
    struct umsim_waits waits;
    struct umsim_pace pace;
    unsigned patience;            /* how often threads may poll in vain before another block runs */
    enum umsim_block_rests rests; /* why the block does not run */
    /* the block whose stacks and memory are in place; NULL when the current block will not be kept */
    struct umsim_swapped_block *loaded;
    struct umsim_swapped_block *residents,
        **residents_end;                /* blocks that wait for others (grid.h), the oldest first */
    struct umsim_swapped_block *unused; /* entries of blocks that have ended, for reuse */
    unsigned resident_count;
    char message[384];  /* why the kernel fails */
    bool called_others; /* worker 0: the other workers have been called for the launch */
    /* the clock and the launches of a thread without a fiber, and which thread it is */
    uint64_t cycles;
    struct umsim_caller caller;
    uint3 known_thread, known_block;
    uint64_t known_grid;
    uint64_t launches; /* the number that threads of this worker have ever made */
    volatile bool in_kernel;
    jmp_buf escape; /* where a fault leads */
};

/** The worker that this thread is; NULL in the host process. */
extern __thread struct umsim_worker *umsim_this_worker __attribute__((tls_model("initial-exec")));

/** The thread that runs, on a fiber or alone, as far as that is known; else NULL. */
static inline struct umsim_fiber *umsim_worker_thread(const struct umsim_worker *worker)
{
    return worker->current ? worker->current : worker->alone;
}

/** The worker's block is now the launch's block `number`, x counted fastest. */
void umsim_worker_enter_block(struct umsim_worker *worker, uint64_t number);

/** Resets what the worker knows of "the thread" if the current thread is not that of the last call. A thread
 * without a fiber runs from its start to its end, so another thread begins anew. Only in kernels that umcc
 * found to ask for their thread's index (umsim_builtins). */
void umsim_worker_know_thread(struct umsim_worker *worker);

/** The worker's next block runs in the counting form of the kernel, or in the fast one. */
void umsim_worker_use_form(struct umsim_worker *worker, bool counted);

/** Ends the current kernel, from any depth of calls. The fault has been recorded already. */
__attribute__((noreturn)) void umsim_worker_escape(struct umsim_worker *worker);

#endif
