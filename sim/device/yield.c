/**
 * @file yield.c
 * @brief Threads that wait by polling: loops around an atomic or a flag, and cuda::barrier, semaphores and
 * related types, which are such loops in the library's headers.
 *
 * A GPU gives each thread of a block its share of time, so such loops end. Here a thread runs until it
 * yields, and a thread in such a loop yields at each poll. All other threads of the block then run first, as
 * far as they can (umsim_gather()), so a poll costs no more than the others' work. When no thread of the
 * block gets any further for UMSIM_PATIENCE polls, another block has to do what they wait for, and the worker
 * goes on with other blocks (grid.h).
 *
 * Only threads of the block can change what is in its __shared__ memory. If all of them have polled it,
 * nothing else has happened, and all have polled again, then nobody will ever change it. The launch fails,
 * and says who waits for what.
 */
#include "pace.h"
#include "stuck.h"
#include "../base/processes.h"
#include "../worker/fail.h"
#include "../worker/worker.h"
#include "../include/umsim/types_error.h"

#include <sched.h>

/* Whether the object can be changed by this block only, so that neither another block nor the host could end
 * a wait for it. */
static bool is_block_private(const struct umsim_worker *worker, const void *object)
{
    const char *p = object;
    return p >= worker->static_shared && p < worker->dynamic_shared + UMSIM_DYNAMIC_SHARED_MAX;
}

/* Yields after a poll in vain of something that other blocks, or the host, may change. */
static void poll_yield(struct umsim_worker *worker)
{
    do {
        umsim_gather(0);
        if (worker->patience-- != 0)
            continue;
        atomic_fetch_add_explicit(&umsim_processes->polls_in_vain, 1, memory_order_relaxed);
        umsim_fibers_leave_block(worker, UMSIM_BLOCK_SPINS);
    } while (umsim_pace_is_ahead(worker));
}

void umsim_poll_yield(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (worker && worker->current) /* a __host__ __device__ function runs on the host, too */
        poll_yield(worker);
}

void umsim_yield(void)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (worker && worker->current)
        umsim_gather(0);
}

void umsim_wait_yield(const struct umsim_awaited *awaited, unsigned round)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (!worker) {
        sched_yield(); /* a thread of the host */
        return;
    }
    if (!worker->current)
        umsim_fail_unseen(worker);
    if (!is_block_private(worker, awaited->object)) {
        poll_yield(worker);
        return;
    }
    worker->current->awaited = awaited;
    worker->waits.in_vain += round >= 2;
    umsim_gather(0);
    worker->current->awaited = NULL;
}

void umsim_judge_waits(struct umsim_worker *worker)
{
    struct umsim_waits *waits = &worker->waits;
    if (waits->asking && waits->in_vain == waits->asking && waits->asked == waits->asking)
        umsim_fail_waiting(worker);
    waits->asked = waits->asking;
    waits->asking = waits->in_vain = 0;
}

/* ---- tiles of more than a warp ---- */

static unsigned thread_of(const struct umsim_worker *worker)
{
    return (unsigned)(worker->current - worker->fibers);
}

/* Threads from `first` on that have not ended. */
static unsigned alive_from(const struct umsim_worker *worker, unsigned first, unsigned size)
{
    unsigned alive = 0;
    for (unsigned i = first; i < first + size && i < worker->command->threads_a_block; i += UMSIM_WARP_LANES)
        alive += (unsigned)__builtin_popcount(worker->warps[i / UMSIM_WARP_LANES].alive);
    return alive;
}

void umsim_tile_wait(unsigned size, const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (!worker->current)
        umsim_fail_unseen(worker);
    /* tiles of 64 threads come first, then those of 128, ... */
    const unsigned number = 32 - 2048 / size + thread_of(worker) / size,
                   phase = worker->waits.tile[number].phase;
    struct umsim_awaited awaited = {"a tile's operation", file, line, worker->static_shared, 0};
    worker->waits.tile[number].arrived++;
    for (unsigned round = 0; worker->waits.tile[number].phase == phase; round++) {
        const unsigned alive = alive_from(worker, thread_of(worker) / size * size, size),
                       arrived = worker->waits.tile[number].arrived;
        if (arrived >= alive) {
            worker->waits.tile[number].phase++;
            worker->waits.tile[number].arrived = 0;
            break;
        }
        awaited.missing = alive - arrived;
        umsim_wait_yield(&awaited, round);
    }
    umsim_synchronised(size);
}

void umsim_named_barrier(unsigned number, unsigned threads, int waits, const char *file, int line)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (!worker->current)
        umsim_fail_unseen(worker);
    if (number >= UMSIM_NAMED_BARRIERS || threads % UMSIM_WARP_LANES != 0)
        umsim_gpu_fail(worker, cudaErrorIllegalInstruction,
                       "named a barrier above 15, or threads for it that are no whole warps");
    const unsigned all = (unsigned)worker->command->threads_a_block,
                   phase = worker->waits.named[number].phase;
    struct umsim_awaited awaited = {"bar.sync", file, line, worker->static_shared, 0};
    worker->waits.named[number].arrived++;
    for (unsigned round = 0; worker->waits.named[number].phase == phase; round++) {
        const unsigned needed = threads ? threads : alive_from(worker, 0, all),
                       arrived = worker->waits.named[number].arrived;
        if (arrived >= needed) {
            worker->waits.named[number].phase++;
            worker->waits.named[number].arrived = 0;
            break;
        }
        if (!waits)
            return;
        awaited.missing = needed - arrived;
        umsim_wait_yield(&awaited, round);
    }
    umsim_synchronised(threads ? threads : all);
}

void umsim_tile_bring(uint64_t value)
{
    struct umsim_worker *worker = umsim_this_worker;
    if (!worker->current)
        umsim_fail_unseen(worker);
    worker->current->brought = value;
}

uint64_t umsim_tile_value(unsigned size, unsigned rank)
{
    const struct umsim_worker *worker = umsim_this_worker;
    return worker->fibers[thread_of(worker) / size * size + rank].brought;
}
