/**
 * @file allocator_small.c
 * @brief Implementation of allocator_small.h: the free ranges of all blocks that small allocations share, and
 * how many allocations each of these blocks holds.
 */
#include "allocator_small.h"
#include "allocator.h"
#include "../base/layout.h"

/* No gap reaches from one block into the next, so the lowest gap that holds an allocation is right. */
static struct umsim_free_ranges gaps = {.unit = UMSIM_VA_BLOCK};
static unsigned short users[UMSIM_MANAGED_SIZE / UMSIM_VA_BLOCK];

static size_t rounded(size_t bytes)
{
    return umsim_round_up(bytes, UMSIM_ALLOCATOR_SMALL_UNIT);
}

static bool add_block(struct umsim_free_ranges *arena)
{
    size_t start;
    if (!umsim_free_ranges_take(arena, UMSIM_VA_BLOCK, &start))
        return false;
    if (umsim_free_ranges_put(&gaps, start, UMSIM_VA_BLOCK))
        return true;
    umsim_free_ranges_put(arena, start, UMSIM_VA_BLOCK);
    return false;
}

bool umsim_allocator_small_take(struct umsim_free_ranges *arena, size_t bytes, size_t *start)
{
    if (!umsim_free_ranges_take(&gaps, rounded(bytes), start) &&
        !(add_block(arena) && umsim_free_ranges_take(&gaps, rounded(bytes), start)))
        return false;
    users[*start / UMSIM_VA_BLOCK]++;
    return true;
}

void umsim_allocator_small_put(struct umsim_free_ranges *arena, size_t start, size_t bytes)
{
    const size_t block = start / UMSIM_VA_BLOCK;
    umsim_free_ranges_put(&gaps, start, rounded(bytes));
    if (--users[block])
        return;
    umsim_free_ranges_drop(&gaps, block * UMSIM_VA_BLOCK, UMSIM_VA_BLOCK);
    umsim_free_ranges_put(arena, block * UMSIM_VA_BLOCK, UMSIM_VA_BLOCK);
}
