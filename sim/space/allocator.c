/**
 * @file allocator.c
 * @brief Implementation of allocator.h: first fit over a sorted set of free ranges.
 *
 * First fit keeps addresses low, and the same from run to run.
 */
#include "allocator.h"

#include <stdlib.h>

static void end_gap(struct umsim_free_ranges *free_ranges, struct umsim_span *gap)
{
    umsim_spans_remove(&free_ranges->gaps, gap);
    free(gap);
}

bool umsim_free_ranges_take(struct umsim_free_ranges *free_ranges, size_t bytes, size_t *start)
{
    struct umsim_span *gap = umsim_spans_first_of(&free_ranges->gaps, bytes);
    if (!gap)
        return false;
    *start = gap->start;
    if (gap->bytes == bytes)
        end_gap(free_ranges, gap);
    else
        umsim_spans_change(&free_ranges->gaps, gap, gap->start + bytes, gap->bytes - bytes);
    return true;
}

static bool begin_gap(struct umsim_free_ranges *free_ranges, size_t start, size_t bytes)
{
    struct umsim_span *gap = malloc(sizeof *gap);
    if (!gap)
        return false;
    gap->start = start;
    gap->bytes = bytes;
    umsim_spans_add(&free_ranges->gaps, gap);
    return true;
}

static bool may_join_at(const struct umsim_free_ranges *free_ranges, size_t border)
{
    return !free_ranges->unit || border % free_ranges->unit;
}

bool umsim_free_ranges_put(struct umsim_free_ranges *free_ranges, size_t start, size_t bytes)
{
    struct umsim_spans *gaps = &free_ranges->gaps;
    struct umsim_span *left = umsim_spans_up_to(gaps, start), *right = umsim_spans_behind(gaps, start);
    const bool joins_left = left && left->start + left->bytes == start && may_join_at(free_ranges, start);
    const bool joins_right = right && start + bytes == right->start && may_join_at(free_ranges, right->start);
    if (!joins_left && !joins_right)
        return begin_gap(free_ranges, start, bytes);
    const size_t more = joins_right ? bytes + right->bytes : bytes;
    if (!joins_left) {
        umsim_spans_change(gaps, right, start, more);
        return true;
    }
    if (joins_right)
        end_gap(free_ranges, right);
    umsim_spans_change(gaps, left, left->start, left->bytes + more);
    return true;
}

void umsim_free_ranges_drop(struct umsim_free_ranges *free_ranges, size_t start, size_t bytes)
{
    struct umsim_span *gap;
    while ((gap = umsim_spans_up_to(&free_ranges->gaps, start + bytes - 1)) && gap->start >= start)
        end_gap(free_ranges, gap);
}
