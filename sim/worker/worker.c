/**
 * @file worker.c
 * @brief Implementation of worker.h: which worker this thread is, which block and thread it runs, and how it
 * leaves a kernel.
 */
#include "worker.h"
#include "launches.h"

#include <string.h>

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

void umsim_worker_use_form(struct umsim_worker *worker, bool counted)
{
    if (worker->is_counted_form == counted)
        return;
    struct umsim_shared_variable kept[UMSIM_SHARED_VARIABLES_MAX];
    const size_t count = worker->shared_count, bytes = worker->shared_bytes;
    memcpy(kept, worker->shared, count * sizeof kept[0]);
    memcpy(worker->shared, worker->other_form.shared, worker->other_form.count * sizeof kept[0]);
    worker->shared_count = worker->other_form.count;
    worker->shared_bytes = worker->other_form.bytes;
    memcpy(worker->other_form.shared, kept, count * sizeof kept[0]);
    worker->other_form.count = count;
    worker->other_form.bytes = bytes;
    worker->is_counted_form = counted;
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
