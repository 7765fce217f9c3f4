/**
 * @file machine.c
 * @brief Holds the simulated machine, which is read from its profile at the start (machine.h).
 */
#include "machine.h"

struct umsim_profile umsim_machine;

int64_t umsim_resident_blocks(int64_t threads, size_t shared)
{
    const struct umsim_attributes *has = &umsim_machine.attributes;
    if (threads > has->max_threads_per_block)
        return 0;
    int64_t warps = (threads + has->warp_size - 1) / has->warp_size;
    int64_t blocks = has->max_threads_per_multiprocessor / has->warp_size / warps;
    size_t takes = shared + (size_t)has->reserved_shared_memory_per_block;
    takes = (takes + UMSIM_SHARED_UNIT - 1) / UMSIM_SHARED_UNIT * UMSIM_SHARED_UNIT;
    int64_t by_shared = takes ? has->max_shared_memory_per_multiprocessor / (int64_t)takes : blocks;
    if (by_shared < blocks)
        blocks = by_shared;
    return blocks < has->max_blocks_per_multiprocessor ? blocks : has->max_blocks_per_multiprocessor;
}
