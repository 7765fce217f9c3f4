/**
 * @file allocator_small.c
 * @brief Implementation of allocator_small.h: a list of shared VA blocks, each with its own free ranges.
 */
#include "allocator_small.h"
#include "../base/layout.h"

#include <stdlib.h>
#include <string.h>

struct shared_block {
    size_t start, users;
    struct umsim_free_ranges gaps; /* also offsets from the arena's start */
};

static struct shared_block *blocks; /* sorted by start */
static size_t count, capacity;

static size_t rounded(size_t bytes)
{
    return umsim_round_up(bytes, UMSIM_ALLOCATOR_SMALL_UNIT);
}

static struct shared_block *add_block(struct umsim_free_ranges *arena)
{
    struct shared_block block = {0};
    if (count == capacity) {
        size_t more = capacity ? 2 * capacity : 16;
        struct shared_block *grown = realloc(blocks, more * sizeof *grown);
        if (!grown)
            return NULL;
        blocks = grown;
        capacity = more;
    }
    if (!umsim_free_ranges_take(arena, UMSIM_VA_BLOCK, &block.start))
        return NULL;
    if (!umsim_free_ranges_put(&block.gaps, block.start, UMSIM_VA_BLOCK)) {
        umsim_free_ranges_put(arena, block.start, UMSIM_VA_BLOCK);
        return NULL;
    }
    size_t at = count++;
    for (; at > 0 && blocks[at - 1].start > block.start; at--)
        blocks[at] = blocks[at - 1];
    blocks[at] = block;
    return &blocks[at];
}

bool umsim_allocator_small_take(struct umsim_free_ranges *arena, size_t bytes, size_t *start)
{
    struct shared_block *block = blocks, *end = blocks + count;
    while (block < end && !umsim_free_ranges_take(&block->gaps, rounded(bytes), start))
        block++;
    if (block == end) {
        block = add_block(arena);
        if (!block || !umsim_free_ranges_take(&block->gaps, rounded(bytes), start))
            return false;
    }
    block->users++;
    return true;
}

void umsim_allocator_small_put(struct umsim_free_ranges *arena, size_t start, size_t bytes)
{
    size_t i = 0;
    while (start - blocks[i].start >= UMSIM_VA_BLOCK)
        i++;
    umsim_free_ranges_put(&blocks[i].gaps, start, rounded(bytes));
    if (--blocks[i].users)
        return;
    umsim_free_ranges_put(arena, blocks[i].start, UMSIM_VA_BLOCK);
    free(blocks[i].gaps.gap);
    count--;
    memmove(&blocks[i], &blocks[i + 1], (count - i) * sizeof *blocks);
}
