/**
 * @file grid.c
 * @brief Implementation of grid.h: the grid's barrier, and each worker's list of resident blocks.
 */
#include "grid.h"
#include "../base/futex.h"
#include "block_swap.h"
#include "pace.h"
#include "process.h"
#include "stuck.h"
#include "../check/check.h"
#include "../count/count.h"
#include "../base/machine.h"
#include "../worker/launches.h"
#include "../base/processes.h"
#include "../worker/worker.h"

/** How long a worker that waits for the others sleeps before it checks whether the launch was given up. */
#define ABANDON_CHECK_NS UINT64_C(1000000)
#define SPIN_ROUNDS 200

/** Where the workers wait for each other; private to the GPU process. */
static struct {
    atomic_uint round; /* futex */
    atomic_uint arrived;
    atomic_ullong waiting; /* blocks that have come to this round's barrier */
    uint64_t waited;       /* blocks that came to the last round's barrier */
} meeting;

void umsim_grid_begin(void)
{
    atomic_store(&meeting.arrived, 0);
    atomic_store(&meeting.waiting, 0);
}

/* Waits until all workers have brought their blocks to the barrier or to their end. @return how many blocks
 * wait, in all */
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
        if (atomic_load(&umsim_launches->abandon) && atomic_load(&meeting.round) == round)
            umsim_worker_escape(worker);
        if (!umsim_spin(&meeting.round, round, SPIN_ROUNDS))
            umsim_futex_wait(&meeting.round, round, ABANDON_CHECK_NS);
    }
    return meeting.waited;
}

/* Lists this worker's blocks: every `workers`-th block. */
static struct umsim_swapped_block *list_blocks(struct umsim_worker *worker, unsigned workers)
{
    struct umsim_swapped_block *first = NULL, **end = &first;
    for (uint64_t i = worker->index; i < worker->command->blocks; i += workers) {
        struct umsim_swapped_block *block = umsim_swapped_block_new(worker, i);
        *end = block;
        end = &block->next;
    }
    return first;
}

static bool has_ended(const struct umsim_swapped_block *block)
{
    return block->started && block->rests == UMSIM_BLOCK_ENDED;
}

/* Fails the kernel: some of this worker's blocks wait for blocks that have ended. */
__attribute__((noreturn)) static void fail(struct umsim_worker *worker,
                                           const struct umsim_swapped_block *block, uint64_t ended)
{
    while (has_ended(block))
        block = block->next;
    umsim_worker_enter_block(worker, block->number);
    if (worker->loaded != block)
        worker->barrier = block->barrier;
    umsim_fail_grid(worker, ended);
}

static void stop_if_abandoned(struct umsim_worker *worker)
{
    if (atomic_load_explicit(&umsim_launches->abandon, memory_order_relaxed))
        umsim_worker_escape(worker);
}

/* Brings this worker's blocks to the grid's barrier, or to their end. @return how many of them wait at the
 * barrier */
static uint64_t run_to_barrier(struct umsim_worker *worker, struct umsim_swapped_block *first)
{
    uint64_t waiting = 0, spinning = 0;
    for (struct umsim_swapped_block *block = first; block; block = block->next) {
        if (!has_ended(block))
            umsim_swapped_block_run(worker, block);
        waiting += block->rests == UMSIM_BLOCK_AT_GRID;
        spinning += block->rests == UMSIM_BLOCK_SPINS;
    }
    while (spinning) {
        stop_if_abandoned(worker);
        umsim_pace_rest(worker); /* these may wait for blocks of other workers */
        for (struct umsim_swapped_block *block = first; block; block = block->next) {
            if (block->rests != UMSIM_BLOCK_SPINS)
                continue;
            umsim_swapped_block_run(worker, block);
            waiting += block->rests == UMSIM_BLOCK_AT_GRID;
            spinning -= block->rests != UMSIM_BLOCK_SPINS;
        }
    }
    return waiting;
}

void umsim_grid_run(struct umsim_worker *worker)
{
    const uint64_t blocks = worker->command->blocks;
    const unsigned workers = blocks < umsim_workers ? (unsigned)blocks : umsim_workers;
    if (worker->index >= workers)
        return;
    struct umsim_swapped_block *const first = list_blocks(worker, workers);
    for (uint64_t all = blocks; all > 0;) {
        umsim_check_launch(worker->command); /* accesses before the barrier are over, as at a launch's end */
        const uint64_t waiting = run_to_barrier(worker, first);
        all = meet(worker, workers, waiting);
        if (all > 0 && all < blocks && waiting > 0)
            fail(worker, first, blocks - all);
    }
}

/* ---- blocks that spin, in any launch ---- */

/* This worker's part of the blocks that a GPU holds at once. */
static unsigned resident_limit(const struct umsim_worker *worker)
{
    const struct umsim_command *command = worker->command;
    const int64_t all =
        umsim_resident_blocks(umsim_own_device, (int64_t)command->threads_a_block, command->dynamic_shared) *
        umsim_machine_of(umsim_own_device)->attributes.multiprocessor_count;
    const unsigned part = (unsigned)(all / umsim_workers);
    return part ? part : 1;
}

/* Adds a block that spins, as the newest of those that do. */
static void add_resident(struct umsim_worker *worker, struct umsim_swapped_block *block)
{
    block->next = NULL;
    *worker->residents_end = block;
    worker->residents_end = &block->next;
    worker->resident_count++;
}

/* Runs the oldest block that spins. @return whether it has ended */
static bool run_oldest(struct umsim_worker *worker)
{
    struct umsim_swapped_block *block = worker->residents;
    stop_if_abandoned(worker);
    worker->residents = block->next;
    if (!worker->residents)
        worker->residents_end = &worker->residents;
    worker->resident_count--;
    umsim_swapped_block_run(worker, block);
    if (block->rests != UMSIM_BLOCK_ENDED) {
        add_resident(worker, block);
        return false;
    }
    block->next = worker->unused;
    worker->unused = block;
    return true;
}

/* Makes an entry for the block in place, because it has to be kept. */
static struct umsim_swapped_block *block_in_place(struct umsim_worker *worker, uint64_t number)
{
    struct umsim_swapped_block *block = worker->unused;
    if (block)
        worker->unused = block->next;
    else
        block = umsim_swapped_block_new(worker, number);
    block->number = number;
    block->started = true;
    block->rests = UMSIM_BLOCK_SPINS;
    block->is_counted_form = worker->is_counted_form;
    worker->loaded = block;
    return block;
}

void umsim_resident_run(struct umsim_worker *worker, uint64_t number)
{
    if (__builtin_expect(worker->residents != NULL, 0)) {
        for (const unsigned limit = resident_limit(worker); worker->resident_count >= limit;)
            run_oldest(worker);
        umsim_swap_out(worker);
    }
    const bool counted = worker->counting || (worker->command->counts && umsim_count_begin(worker, number));
    umsim_worker_use_form(worker, counted);
    umsim_worker_enter_block(worker, number);
    umsim_check_block(worker, false);
    umsim_fibers_start_block(worker);
    const bool ended = umsim_fibers_go_on(worker) == UMSIM_BLOCK_ENDED;
    if (counted && ended)
        umsim_count_end(worker);
    else if (counted)
        umsim_count_drop(worker);
    if (!ended)
        add_resident(worker, block_in_place(worker, number));
    if (__builtin_expect(worker->residents != NULL, 0) && worker->residents->next)
        run_oldest(worker);
}

void umsim_resident_finish(struct umsim_worker *worker)
{
    for (unsigned in_vain = 0; worker->residents;) {
        in_vain = run_oldest(worker) ? 0 : in_vain + 1;
        if (in_vain > worker->resident_count) { /* all of these wait for blocks of other workers */
            umsim_pace_rest(worker);
            in_vain = 0;
        }
    }
}
