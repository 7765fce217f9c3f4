/**
 * @file allocator.h
 * @brief The free address ranges of an arena, sorted by address.
 */
#ifndef UMSIM_ALLOCATOR_H
#define UMSIM_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

struct umsim_free_range {
    size_t start, bytes;
};

/** Sorted by start; neighbouring ranges never touch. All zero is an arena without free ranges: add some with
 * umsim_free_ranges_put(). */
struct umsim_free_ranges {
    struct umsim_free_range *gap;
    size_t count, capacity;
};

/** Takes `bytes` from the lowest gap that holds them. @return false when none does. */
bool umsim_free_ranges_take(struct umsim_free_ranges *gaps, size_t bytes, size_t *start);

/** Gives a range back. @return false when there is no memory (the arena then loses the range; nothing else
 * breaks). */
bool umsim_free_ranges_put(struct umsim_free_ranges *gaps, size_t start, size_t bytes);

#endif
