/**
 * @file worker.c
 * @brief Implementation of worker.h: which worker this thread is, which block and thread it runs, and how it
 * leaves a kernel.
 */
#include "worker.h"
#include "launches.h"

struct umsim_launches *umsim_launches;
__thread struct umsim_worker *umsim_this_worker __attribute__((tls_model("initial-exec")));
__thread struct umsim_builtins umsim_builtins __attribute__((tls_model("initial-exec")));

void umsim_worker_escape(struct umsim_worker *worker)
{
    atomic_store(&umsim_launches->abandon, true);
    _longjmp(worker->escape, 1);
}

void umsim_worker_enter_block(struct umsim_worker *worker, uint64_t number)
{
    const dim3 grid = worker->command->geometry.grid;
    worker->block_index = (uint3){(unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
                                  (unsigned)(number / grid.x / grid.y)};
}

static bool is_same(uint3 a, uint3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void umsim_worker_know_thread(struct umsim_worker *worker)
{
    const struct umsim_builtins *now = &umsim_builtins;
    if (is_same(worker->known_thread, now->thread_index) && is_same(worker->known_block, now->block_index) &&
        worker->known_grid == worker->command->number)
        return;
    worker->known_thread = now->thread_index;
    worker->known_block = now->block_index;
    worker->known_grid = worker->command->number;
    worker->cycles = 0;
    worker->caller.error = 0;
}
