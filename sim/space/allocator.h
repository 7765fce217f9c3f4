/**
 * @file allocator.h
 * @brief The free address ranges of an arena, sorted by address.
 */
#ifndef UMSIM_ALLOCATOR_H
#define UMSIM_ALLOCATOR_H

#include "../base/spans.h"

#include <stdbool.h>

/** Neighbouring ranges never touch. All zero is an arena without free ranges: add some with
 * umsim_free_ranges_put(). */
struct umsim_free_ranges {
    struct umsim_spans gaps; /* offsets from the arena's start */
    size_t unit;             /* no gap reaches across a multiple of this; 0: gaps may be of any size */
};

/** Takes `bytes` from the lowest gap that holds them. @return false when none does. */
bool umsim_free_ranges_take(struct umsim_free_ranges *free, size_t bytes, size_t *start);

/** Gives a range back. @return false when there is no memory (the arena then loses the range; nothing else
 * breaks). */
bool umsim_free_ranges_put(struct umsim_free_ranges *free, size_t start, size_t bytes);

/** No gap in [start, start + bytes) is free any more. */
void umsim_free_ranges_drop(struct umsim_free_ranges *free, size_t start, size_t bytes);

#endif
