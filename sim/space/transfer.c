/**
 * @file transfer.c
 * @brief Implementation of transfer.h: finds the memory behind each address, and copies or fills row by row.
 */
#include "transfer.h"
#include "views.h"
#include "../record/counters.h"
#include "arena.h"
#include "contents.h"
#include "host_memory.h"
#include "protection.h"

#include <string.h>

/* ---- what an address is ---- */

static const struct umsim_section *section_of(uintptr_t address)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->sections); i++)
        if (address - (uintptr_t)umsim_views->section[i].base < umsim_views->section[i].bytes)
            return &umsim_views->section[i];
    return NULL;
}

static bool is_managed(uintptr_t address)
{
    return umsim_managed_space_of((const void *)address) != NULL;
}

static bool is_simulators(uintptr_t address)
{
    return umsim_arena_of((const void *)address) || is_managed(address) || section_of(address);
}

/* As the counters see it: managed memory counts as the device's, because its pages will be there. */
static bool is_host_side(uintptr_t address)
{
    return !is_simulators(address) ||
           umsim_arena_of((const void *)address) == &umsim_arenas[UMSIM_ARENA_PINNED];
}

/* The address at which this process reaches a range. */
struct view {
    /* If it exists but `p` is NULL, not all of the range is alive (any more). It then reads as zeros, and
     * ignores writes. */
    bool exists;
    bool elsewhere; /* `p` is an address in a client's memory */
    char *p;
};

static struct view window_of(uintptr_t address, size_t bytes)
{
    const struct umsim_managed_space *space = umsim_managed_space_of((const void *)address);
    const struct umsim_arena *arena = umsim_arena_of((const void *)address);
    const struct umsim_section *section = section_of(address);
    const char *base = arena ? arena->base : space ? space->base : section->base;
    char *window = arena ? arena->window : space ? space->window : section->window;
    const size_t offset = address - (uintptr_t)base;
    const size_t whole = arena ? arena->size : space ? space->bytes : section->bytes;
    struct view view = {bytes <= whole - offset, false, window + offset};
    if (view.exists && arena && !umsim_arena_all_valid(arena, (const void *)address, bytes))
        view.p = NULL;
    return view;
}

char *umsim_transfer_window(uintptr_t address, size_t bytes)
{
    return window_of(address, bytes).p;
}

static struct view view_of(uintptr_t address, size_t bytes)
{
    return is_simulators(address) ? window_of(address, bytes)
                                  : (struct view){true, umsim_host_is_elsewhere(), (char *)address};
}

/* ---- moving ---- */

/* Rows must not overlap, or a few bytes would count as many. */
static bool extent(size_t pitch, size_t width, size_t rows, size_t *bytes)
{
    return width && rows && (rows == 1 || pitch >= width) &&
           !__builtin_mul_overflow(pitch, rows - 1, bytes) && !__builtin_add_overflow(*bytes, width, bytes);
}

static void count_copy(const struct umsim_transfer *it)
{
    const bool to_host = is_host_side(it->to), from_host = is_host_side(it->from);
    const uint64_t bytes = (uint64_t)it->width * it->rows;
    umsim_count(memcpy_calls, !it->continues);
    if (from_host && !to_host)
        umsim_count(memcpy_htod_bytes, bytes);
    else if (!from_host && to_host)
        umsim_count(memcpy_dtoh_bytes, bytes);
    else if (!from_host)
        umsim_count(memcpy_dtod_bytes, bytes);
}

/* One side of a rectangle. */
static struct view side(uintptr_t address, size_t pitch, const struct umsim_transfer *it, bool is_write)
{
    size_t bytes;
    if (!extent(pitch, it->width, it->rows, &bytes))
        return (struct view){false, false, NULL};
    struct view view = view_of(address, bytes);
    if (it->staged && !is_write)
        view.elsewhere = false;
    return view;
}

/* `width` bytes, a whole number of elements. */
static void fill_row(char *to, const struct umsim_transfer *it)
{
    if (it->element <= 1)
        memset(to, it->value, it->width);
    else
        for (size_t at = 0; at + it->element <= it->width; at += it->element)
            memcpy(to + at, &it->value, it->element);
}

/* Both sides are a client's. */
static bool move_elsewhere(char *to, const char *from, size_t width)
{
    char part[4096];
    for (size_t at = 0; at < width; at += sizeof part) {
        const size_t bytes = width - at < sizeof part ? width - at : sizeof part;
        if (!umsim_host_read(part, from + at, bytes) || !umsim_host_write(to + at, part, bytes))
            return false;
    }
    return true;
}

/* @return false where a client has no such memory: the rest is left out */
static bool move_row(const struct view *to, const struct view *from, size_t to_offset, size_t from_offset,
                     size_t width)
{
    char *const here = to->p + to_offset;
    if (to->elsewhere && from->elsewhere)
        return move_elsewhere(here, from->p + from_offset, width);
    if (to->elsewhere && from->p)
        return umsim_host_write(here, from->p + from_offset, width);
    if (to->elsewhere)
        return true; /* what is not alive any more: such a copy has been refused, or does not matter */
    if (from->elsewhere)
        return umsim_host_read(here, from->p + from_offset, width);
    if (from->p)
        memmove(here, from->p + from_offset, width);
    else
        memset(here, 0, width);
    return true;
}

bool umsim_transfer(enum umsim_transfer_kind kind, const struct umsim_transfer *it)
{
    const struct view to = side(it->to, it->to_pitch, it, true);
    const struct view from = kind == UMSIM_COPY ? side(it->from, it->from_pitch, it, false) : to;
    char byte;
    if (!to.exists || !from.exists) /* where it is a client's, that is the client's fault */
        return umsim_host_is_elsewhere() && !umsim_host_read(&byte, (const void *)UINTPTR_MAX, 1);
    bool going = to.p != NULL;
    size_t bytes;
    if (extent(it->to_pitch, it->width, it->rows, &bytes) && is_simulators(it->to))
        umsim_contents_written((const void *)it->to, bytes);
    for (size_t row = 0; going && row < it->rows; row++) {
        if (kind == UMSIM_COPY)
            going = move_row(&to, &from, row * it->to_pitch, row * it->from_pitch, it->width);
        else
            fill_row(to.p + row * it->to_pitch, it);
    }
    if (kind == UMSIM_COPY)
        count_copy(it);
    return true;
}
