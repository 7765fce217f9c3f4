/**
 * @file block_swap.c
 * @brief Implementation of block_swap.h: copies a block's stacks and shared memory to the swap area and back.
 */
#include "block_swap.h"
#include "../check/check.h"
#include "../count/count.h"
#include "../worker/fail.h"
#include "../include/umsim/types_error.h"
#include "../base/layout.h"
#include "../worker/worker.h"
#include "fiber.h"

#include <sanitizer/asan_interface.h>
#include <string.h>
#include <sys/mman.h>

/* The swap area is opened as needed, this much at a time. */
#define SWAP_STEP ((size_t)16 << 20)

static bool open_swap_area(struct umsim_worker *worker, size_t bytes)
{
    if (bytes <= worker->swap_open)
        return true;
    const size_t wanted = umsim_round_up(bytes, SWAP_STEP);
    const size_t open = wanted < worker->swap_bytes ? wanted : worker->swap_bytes;
    if (bytes > open || mprotect(worker->swap_area, open, PROT_READ | PROT_WRITE) != 0)
        return false;
    worker->swap_open = open;
    return true;
}

/* Takes memory from the worker's swap area, which is given back as a whole. */
static void *take_bytes(struct umsim_worker *worker, size_t bytes)
{
    bytes = umsim_round_up(bytes, 64);
    if (!open_swap_area(worker, worker->swap_used + bytes))
        umsim_gpu_fail(
            worker, cudaErrorLaunchOutOfResources,
            "has more blocks that wait for each other, with deeper stacks or more shared memory, than "
            "the simulator can hold");
    char *memory = worker->swap_area + worker->swap_used;
    worker->swap_used += bytes;
    return memory;
}

void umsim_swap_begin(struct umsim_worker *worker)
{
    worker->swap_used = 0;
    worker->loaded = worker->residents = worker->unused = NULL;
    worker->residents_end = &worker->residents;
    worker->resident_count = 0;
}

void umsim_swap_end(struct umsim_worker *worker)
{
    if (worker->swap_used)
        madvise(worker->swap_area, worker->swap_used, MADV_DONTNEED);
}

struct umsim_swapped_block *umsim_swapped_block_new(struct umsim_worker *worker, uint64_t number)
{
    struct umsim_swapped_block *block = take_bytes(worker, sizeof *block);
    memset(block, 0, sizeof *block);
    block->number = number;
    return block;
}

static size_t warps_of(const struct umsim_worker *worker)
{
    return (worker->command->threads_a_block + UMSIM_WARP_LANES - 1) / UMSIM_WARP_LANES;
}

static bool is_alive(const struct umsim_fiber *fiber)
{
    return fiber->warp->alive >> fiber->lane & 1;
}

/* Goes over what has to be kept of the block, in a fixed order, and calls `copy` with each part. At the
 * grid's barrier no lane waits for its warp, so of the warps only the set of live lanes has to come back. */
static size_t each_part(struct umsim_worker *worker, size_t shared_bytes, bool with_warps, char *memory,
                        void (*copy)(void *ours, void *kept, size_t bytes))
{
    const size_t threads = worker->command->threads_a_block;
    size_t used = 0;
#define PART(ours, bytes) (copy((ours), memory + used, (bytes)), used += umsim_round_up((bytes), 16))
    PART(worker->fibers, threads * sizeof worker->fibers[0]);
    if (with_warps)
        PART(worker->warps, warps_of(worker) * sizeof worker->warps[0]);
    PART(worker->static_shared, shared_bytes);
    PART(worker->dynamic_shared, worker->command->dynamic_shared);
    for (size_t i = 0; i < threads; i++) {
        if (!is_alive(&worker->fibers[i]))
            continue;
        char *low = umsim_fiber_stack_low(worker, i), *high = umsim_fiber_stack_high(worker, i);
        /* AddressSanitizer's marks are of another block's frames, or in the way of the copy */
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

static void swap_out(struct umsim_worker *worker, struct umsim_swapped_block *block)
{
    const bool with_warps = block->rests == UMSIM_BLOCK_SPINS;
    block->bytes = each_part(worker, worker->shared_bytes, with_warps, NULL, only_count);
    if (block->bytes > block->capacity) {
        block->capacity = block->bytes + block->bytes / 4;
        block->memory = take_bytes(worker, block->capacity);
    }
    each_part(worker, worker->shared_bytes, with_warps, block->memory, keep);
    block->shared_bytes = worker->shared_bytes;
    block->resume = worker->resume;
    block->generation = worker->generation;
    block->released = worker->released;
    block->blocked = worker->blocked;
    block->waits = worker->waits;
    block->barrier = worker->barrier;
    block->common_line = worker->common_line;
    block->is_of_grid = worker->is_of_grid;
    memcpy(block->count, worker->count, sizeof block->count);
    for (size_t i = 0; i < warps_of(worker); i++)
        block->alive[i] = worker->warps[i].alive;
}

static void load(struct umsim_worker *worker, const struct umsim_swapped_block *block)
{
    umsim_fibers_prepare_warps(worker);
    for (size_t i = 0; i < warps_of(worker); i++)
        worker->warps[i].alive = block->alive[i];
    each_part(worker, block->shared_bytes, block->rests == UMSIM_BLOCK_SPINS, block->memory, put_back);
    worker->resume = block->resume;
    worker->generation = block->generation;
    worker->released = block->released;
    worker->blocked = block->blocked;
    worker->waits = block->waits;
    worker->barrier = block->barrier;
    worker->common_line = block->common_line;
    worker->is_of_grid = block->is_of_grid;
    worker->rests = block->rests;
    memcpy(worker->count, block->count, sizeof block->count);
}

void umsim_swap_out(struct umsim_worker *worker)
{
    if (worker->loaded) {
        umsim_check_put_aside();
        swap_out(worker, worker->loaded);
    }
    worker->loaded = NULL;
}

static void begin_to_count(struct umsim_worker *worker, struct umsim_swapped_block *block)
{
    worker->counting = block->counting;
    if (block->started || !worker->command->counts)
        return;
    block->is_counted_form = umsim_count_begin(worker, block->number);
}

/* How often a block looks that waits in a loop depends on the others. */
static void put_count_aside(struct umsim_worker *worker, struct umsim_swapped_block *block)
{
    if (worker->counting && block->rests == UMSIM_BLOCK_ENDED)
        umsim_count_end(worker);
    else if (block->rests == UMSIM_BLOCK_SPINS)
        umsim_count_drop(worker);
    block->counting = umsim_count_put_aside(worker);
}

void umsim_swapped_block_run(struct umsim_worker *worker, struct umsim_swapped_block *block)
{
    const bool in_place = worker->loaded == block;
    if (!in_place)
        umsim_swap_out(worker);
    begin_to_count(worker, block);
    umsim_worker_use_form(worker, block->is_counted_form);
    umsim_worker_enter_block(worker, block->number);
    umsim_check_block(worker, block->started);
    if (!block->started)
        umsim_fibers_start_block(worker);
    else if (!in_place)
        load(worker, block);
    block->started = true;
    block->rests = umsim_fibers_go_on(worker);
    worker->loaded = block->rests == UMSIM_BLOCK_ENDED ? NULL : block;
    put_count_aside(worker, block);
}
