/**
 * @file gaps.h
 * @brief The free address ranges of an arena, lowest first.
 */
#ifndef UMSIM_GAPS_H
#define UMSIM_GAPS_H

#include <stdbool.h>
#include <stddef.h>

struct umsim_gap {
    size_t start, bytes;
};

/** Sorted by start; neighbours never touch. All zero is an arena without room: give it some with
 * umsim_gaps_put(). */
struct umsim_gaps {
    struct umsim_gap *gap;
    size_t count, capacity;
};

/** Takes `bytes` from the lowest gap that holds them. @return false when none does. */
bool umsim_gaps_take(struct umsim_gaps *gaps, size_t bytes, size_t *start);

/** Gives a range back. @return false without memory (the range is then lost to the arena, nothing else). */
bool umsim_gaps_put(struct umsim_gaps *gaps, size_t start, size_t bytes);

#endif
