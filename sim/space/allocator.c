/**
 * @file allocator.c
 * @brief Implementation of allocator.h: first fit over a sorted list of free ranges.
 *
 * First fit keeps addresses low, and the same from run to run.
 */
#include "allocator.h"

#include <stdlib.h>
#include <string.h>

static void gap_remove(struct umsim_free_ranges *gaps, size_t i)
{
    gaps->count--;
    memmove(&gaps->gap[i], &gaps->gap[i + 1], (gaps->count - i) * sizeof gaps->gap[0]);
}

bool umsim_free_ranges_take(struct umsim_free_ranges *gaps, size_t bytes, size_t *start)
{
    for (size_t i = 0; i < gaps->count; i++) {
        struct umsim_free_range *gap = &gaps->gap[i];
        if (gap->bytes < bytes)
            continue;
        *start = gap->start;
        gap->start += bytes;
        gap->bytes -= bytes;
        if (gap->bytes == 0)
            gap_remove(gaps, i);
        return true;
    }
    return false;
}

static bool gap_insert(struct umsim_free_ranges *gaps, size_t i, struct umsim_free_range gap)
{
    if (gaps->count == gaps->capacity) {
        size_t capacity = gaps->capacity ? 2 * gaps->capacity : 16;
        struct umsim_free_range *grown = realloc(gaps->gap, capacity * sizeof *grown);
        if (!grown)
            return false;
        gaps->gap = grown;
        gaps->capacity = capacity;
    }
    memmove(&gaps->gap[i + 1], &gaps->gap[i], (gaps->count - i) * sizeof gap);
    gaps->gap[i] = gap;
    gaps->count++;
    return true;
}

bool umsim_free_ranges_put(struct umsim_free_ranges *gaps, size_t start, size_t bytes)
{
    size_t i = 0;
    while (i < gaps->count && gaps->gap[i].start < start)
        i++;
    bool joins_left = i > 0 && gaps->gap[i - 1].start + gaps->gap[i - 1].bytes == start;
    bool joins_right = i < gaps->count && start + bytes == gaps->gap[i].start;
    if (joins_left && joins_right) {
        gaps->gap[i - 1].bytes += bytes + gaps->gap[i].bytes;
        gap_remove(gaps, i);
    } else if (joins_left) {
        gaps->gap[i - 1].bytes += bytes;
    } else if (joins_right) {
        gaps->gap[i].start = start;
        gaps->gap[i].bytes += bytes;
    } else {
        return gap_insert(gaps, i, (struct umsim_free_range){start, bytes});
    }
    return true;
}
