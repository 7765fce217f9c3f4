/* grid.c: see grid.h. */
#include "grid.h"
#include "futex.h"
#include "process.h"
#include "stuck.h"
#include "worker.h"
#include "../check/check.h"
#include "../fault/gpu_fault.h"
#include "../include/umsim_types_error.h"

#include <sanitizer/asan_interface.h>
#include <string.h>
#include <sys/mman.h>

/** How long a worker that waits for the others sleeps before it looks whether the launch was given up. */
#define ABANDON_CHECK_NS UINT64_C(1000000)
#define SPIN_ROUNDS 200

/** Where the workers wait for each other. The GPU process's own. */
static struct {
    atomic_uint round; /* futex */
    atomic_uint arrived;
    atomic_ullong waiting; /* blocks that have come to this round's barrier */
    uint64_t waited;       /* ... to the last round's */
} meeting;

/** A block that is not running. */
struct parked {
    struct parked *next; /* of this worker's blocks */
    uint64_t number;     /* of the block */
    bool started, ended;
    char *room; /* its stacks and memory */
    size_t bytes, capacity;
    /* what the worker knows of it */
    struct umsim_fiber *turn;
    unsigned generation, count[2], alive[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    size_t shared_bytes;
    struct umsim_place_in_source barrier;
};

void umsim_grid_begin(void)
{
    atomic_store(&meeting.arrived, 0);
    atomic_store(&meeting.waiting, 0);
}

/* Parking is opened as it is needed, this much at a time. */
#define PARKING_STEP ((size_t)16 << 20)

static bool open_parking(struct umsim_worker *worker, size_t bytes)
{
    if (bytes <= worker->parking_open)
        return true;
    const size_t wanted = umsim_round_up(bytes, PARKING_STEP);
    const size_t open = wanted < worker->parking_bytes ? wanted : worker->parking_bytes;
    if (bytes > open || mprotect(worker->parking, open, PROT_READ | PROT_WRITE) != 0)
        return false;
    worker->parking_open = open;
    return true;
}

/* From the worker's parking: it is given back as a whole. */
static void *take_room(struct umsim_worker *worker, size_t bytes)
{
    bytes = umsim_round_up(bytes, 64);
    if (!open_parking(worker, worker->parking_used + bytes))
        umsim_gpu_fail(
            worker, cudaErrorLaunchOutOfResources,
            "has more blocks that wait for each other, with deeper stacks or more shared memory, than "
            "the simulator can hold");
    char *room = worker->parking + worker->parking_used;
    worker->parking_used += bytes;
    return room;
}

static size_t warps_of(const struct umsim_worker *worker)
{
    return (worker->command->threads_a_block + UMSIM_WARP_LANES - 1) / UMSIM_WARP_LANES;
}

static bool is_alive(const struct umsim_fiber *fiber)
{
    return fiber->warp->alive >> fiber->lane & 1;
}

/* Goes over what has to be kept of the block, in a fixed order; `copy` is called with each part of it. */
static size_t each_part(struct umsim_worker *worker, size_t shared_bytes, char *room,
                        void (*copy)(void *ours, void *kept, size_t bytes))
{
    const size_t threads = worker->command->threads_a_block;
    size_t used = 0;
#define PART(ours, bytes) (copy((ours), room + used, (bytes)), used += umsim_round_up((bytes), 16))
    PART(worker->fibers, threads * sizeof worker->fibers[0]);
    PART(worker->static_shared, shared_bytes);
    PART(worker->dynamic_shared, worker->command->dynamic_shared);
    for (size_t i = 0; i < threads; i++) {
        if (!is_alive(&worker->fibers[i]))
            continue;
        char *low = umsim_fiber_stack_low(worker, i), *high = umsim_fiber_stack_high(worker, i);
        /* AddressSanitizer's marks: of another block's frames, or in the way of the copy. */
        ASAN_UNPOISON_MEMORY_REGION(low, high - low);
        PART(low, (size_t)(high - low));
    }
#undef PART
    return used;
}

static void keep(void *ours, void *kept, size_t bytes)
{
    memcpy(kept, ours, bytes);
}

static void put_back(void *ours, void *kept, size_t bytes)
{
    memcpy(ours, kept, bytes);
}

static void only_count(void *ours, void *kept, size_t bytes)
{
    (void)ours, (void)kept, (void)bytes;
}

static void park(struct umsim_worker *worker, struct parked *block)
{
    block->bytes = each_part(worker, worker->shared_bytes, NULL, only_count);
    if (block->bytes > block->capacity) {
        block->capacity = block->bytes + block->bytes / 4;
        block->room = take_room(worker, block->capacity);
    }
    each_part(worker, worker->shared_bytes, block->room, keep);
    block->shared_bytes = worker->shared_bytes;
    block->turn = worker->turn;
    block->generation = worker->generation;
    block->barrier = worker->barrier;
    memcpy(block->count, worker->count, sizeof block->count);
    for (size_t i = 0; i < warps_of(worker); i++)
        block->alive[i] = worker->warps[i].alive;
}

/* No lane is blocked at a barrier, so of the warps only who is alive has to come back. */
static void load(struct umsim_worker *worker, const struct parked *block)
{
    umsim_fibers_prepare_warps(worker);
    for (size_t i = 0; i < warps_of(worker); i++)
        worker->warps[i].alive = block->alive[i];
    each_part(worker, block->shared_bytes, block->room, put_back);
    worker->turn = block->turn;
    worker->generation = worker->released = block->generation;
    worker->blocked = 0;
    worker->barrier = block->barrier;
    memcpy(worker->count, block->count, sizeof block->count);
}

/* Lets a block go on. `alone`: the worker has no other, and it stays where it is. */
static void run_block(struct umsim_worker *worker, struct parked *block, bool alone)
{
    umsim_worker_enter_block(worker, block->number);
    umsim_check_block(worker, block->started);
    if (!block->started)
        umsim_fibers_start_block(worker);
    else if (!alone)
        load(worker, block);
    block->started = true;
    block->ended = umsim_fibers_go_on(worker);
    if (!block->ended && !alone)
        park(worker, block);
}

/* All workers have brought their blocks to the barrier or to their end. @return how many wait, in all */
static uint64_t meet(struct umsim_worker *worker, unsigned workers, uint64_t waiting)
{
    const unsigned round = atomic_load(&meeting.round);
    atomic_fetch_add(&meeting.waiting, waiting);
    if (atomic_fetch_add(&meeting.arrived, 1) + 1 == workers) {
        meeting.waited = atomic_load(&meeting.waiting);
        umsim_grid_begin();
        atomic_store(&meeting.round, round + 1);
        umsim_futex_wake(&meeting.round);
    }
    while (atomic_load(&meeting.round) == round) {
        if (atomic_load(&umsim_shared_state->abandon) && atomic_load(&meeting.round) == round)
            umsim_worker_escape(worker);
        if (!umsim_spin(&meeting.round, round, SPIN_ROUNDS))
            umsim_futex_wait(&meeting.round, round, ABANDON_CHECK_NS);
    }
    return meeting.waited;
}

/* This worker's blocks: each `workers`-th. */
static struct parked *list_blocks(struct umsim_worker *worker, unsigned workers)
{
    struct parked *first = NULL, **end = &first;
    for (uint64_t i = worker->index; i < worker->command->blocks; i += workers) {
        struct parked *block = take_room(worker, sizeof *block);
        memset(block, 0, sizeof *block);
        block->number = i;
        *end = block;
        end = &block->next;
    }
    return first;
}

/* Some of this worker's blocks wait for blocks that have ended. */
__attribute__((noreturn)) static void fail(struct umsim_worker *worker, const struct parked *block,
                                           uint64_t ended)
{
    while (block->ended)
        block = block->next;
    umsim_worker_enter_block(worker, block->number);
    if (block->room)
        worker->barrier = block->barrier;
    umsim_fail_grid(worker, ended);
}

void umsim_grid_run(struct umsim_worker *worker)
{
    const uint64_t blocks = worker->command->blocks;
    const unsigned workers = blocks < umsim_workers ? (unsigned)blocks : umsim_workers;
    if (worker->index >= workers)
        return;
    worker->parking_used = 0;
    struct parked *const first = list_blocks(worker, workers);
    for (uint64_t all = blocks; all > 0;) {
        uint64_t waiting = 0;
        umsim_check_launch(worker->command); /* what lies before the barrier is over, as at a launch's end */
        for (struct parked *block = first; block; block = block->next) {
            if (!block->ended)
                run_block(worker, block, first->next == NULL);
            waiting += !block->ended;
        }
        all = meet(worker, workers, waiting);
        if (all > 0 && all < blocks && waiting > 0)
            fail(worker, first, blocks - all);
    }
    madvise(worker->parking, worker->parking_used, MADV_DONTNEED);
}
