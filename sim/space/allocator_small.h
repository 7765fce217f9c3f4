/**
 * @file allocator_small.h
 * @brief Address ranges for managed allocations below 2 MiB, which share VA blocks.
 *
 * CUDA's runtime takes managed memory from the driver in large pieces and cuts small allocations out of them,
 * 512 bytes apart, none of them across a 2 MiB boundary (addresses read off an H200, driver 580, CUDA 13.0).
 * So two small allocations may share pages, and what moves one moves the other.
 *
 * Callers hold the simulator's lock. Offsets count from the arena's start.
 */
#ifndef UMSIM_ALLOCATOR_SMALL_H
#define UMSIM_ALLOCATOR_SMALL_H

#include "allocator.h"
#include "../base/layout.h"

/** Small allocations start at multiples of this. */
#define UMSIM_ALLOCATOR_SMALL_UNIT ((size_t)512)

/** Whether a managed allocation of `bytes` shares its VA block. */
static inline bool umsim_is_small(size_t bytes)
{
    return bytes < UMSIM_VA_BLOCK;
}

/** Takes the lowest free place in the blocks taken so far, or else in a new block from `arena`. @return false
 * when there is no space. */
bool umsim_allocator_small_take(struct umsim_free_ranges *arena, size_t bytes, size_t *start);

/** Gives a place back; a block that becomes empty goes back to `arena`. */
void umsim_allocator_small_put(struct umsim_free_ranges *arena, size_t start, size_t bytes);

#endif
