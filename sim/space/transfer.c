/**
 * @file transfer.c
 * @brief Implementation of transfer.h: finds the memory behind each address, and copies or fills row by row.
 */
#include "transfer.h"
#include "views.h"
#include "../record/request.h"
#include "../record/counters.h"
#include "../record/ledger.h"
#include "arena.h"
#include "host_memory.h"
#include "paging_server.h"
#include "../base/processes.h"

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

/* The address at which the state owner reaches a range. */
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

/* A host that owns the state reaches its memory at its own addresses. A broker uses the shared buffer
 * instead. */
static struct view view_of(uintptr_t address, size_t bytes)
{
    if (is_simulators(address))
        return window_of(address, bytes);
    if (!umsim_in_gpu)
        return (struct view){true, umsim_host_is_elsewhere(), (char *)address};
    return (struct view){address == UMSIM_BOUNCE && bytes <= UMSIM_BOUNCE_BYTES, false,
                         umsim_mailbox->bounce};
}

/* ---- the owner's side ---- */

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
    if (view.exists && umsim_in_gpu && is_managed(address))
        umsim_paging_engine_has_touched(address, bytes, is_write);
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

static void serve(const struct umsim_request *request, struct umsim_answer *answer)
{
    const enum umsim_task task = request->task;
    const struct umsim_transfer *it = &request->transfer;
    const struct view to = side(it->to, it->to_pitch, it, true);
    const struct view from = task == UMSIM_COPY ? side(it->from, it->from_pitch, it, false) : to;
    answer->done = to.exists && from.exists;
    if (!answer->done &&
        umsim_host_is_elsewhere()) { /* a rectangle that no memory holds: the client's fault */
        char byte;
        answer->done = !umsim_host_read(&byte, (const void *)UINTPTR_MAX, 1);
        return;
    }
    if (!answer->done) {
        umsim_ledger_tampered(UMSIM_TAMPERED_MESSAGE);
        return;
    }
    bool going = to.p != NULL;
    for (size_t row = 0; going && row < it->rows; row++) {
        if (task == UMSIM_COPY)
            going = move_row(&to, &from, row * it->to_pitch, row * it->from_pitch, it->width);
        else
            fill_row(to.p + row * it->to_pitch, it);
    }
    if (task == UMSIM_COPY)
        count_copy(it);
}

/* ---- the host's side ---- */

static bool ask(enum umsim_task task, const struct umsim_transfer *what)
{
    struct umsim_request request = {.task = task, .transfer = *what};
    struct umsim_answer answer;
    umsim_ask(&request, &answer);
    return answer.done;
}

static void move_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                      const struct umsim_transfer *part)
{
    for (size_t row = 0; row < part->rows; row++)
        memcpy(to + row * to_pitch, from + row * from_pitch, part->width);
}

/* Moves a part that fits into the buffer by way of the buffer. */
static bool carry_part(struct umsim_transfer part)
{
    char *const bounce = umsim_mailbox->bounce;
    const struct umsim_transfer own = part;
    const bool from_host = !is_simulators(part.from), to_host = !is_simulators(part.to);
    if (from_host) {
        move_rows(bounce, part.width, (const char *)part.from, part.from_pitch, &part);
        part.from = UMSIM_BOUNCE;
        part.from_pitch = part.width;
    }
    if (to_host) {
        part.to = UMSIM_BOUNCE;
        part.to_pitch = part.width;
    }
    if (!ask(UMSIM_COPY, &part))
        return false;
    if (to_host)
        move_rows((char *)own.to, own.to_pitch, bounce, part.width, &part);
    return true;
}

/* Moves whole rows, or parts of one row. */
static bool carry(const struct umsim_transfer *all)
{
    const size_t rows = all->width < UMSIM_BOUNCE_BYTES ? UMSIM_BOUNCE_BYTES / all->width : 1;
    for (size_t row = 0; row < all->rows; row += rows)
        for (size_t column = 0; column < all->width; column += UMSIM_BOUNCE_BYTES) {
            struct umsim_transfer part = *all;
            part.to += row * all->to_pitch + column;
            part.from += row * all->from_pitch + column;
            part.rows = all->rows - row < rows ? all->rows - row : rows;
            if (all->width - column < UMSIM_BOUNCE_BYTES)
                part.width = all->width - column;
            else
                part.width = UMSIM_BOUNCE_BYTES;
            part.continues = all->continues || row || column;
            if (!carry_part(part))
                return false;
        }
    return true;
}

/* Registered memory, which is used in place. */
static void fill(const struct umsim_transfer *what)
{
    for (size_t row = 0; row < what->rows; row++)
        fill_row((char *)what->to + row * what->to_pitch, what);
}

bool umsim_transfer(enum umsim_task task, const struct umsim_transfer *what)
{
    const bool ours = is_simulators(what->to) && (task == UMSIM_SET || is_simulators(what->from));
    if (ours || !umsim_broker_serves())
        return ask(task, what);
    if (task == UMSIM_COPY)
        return carry(what);
    fill(what);
    return true;
}

void umsim_transfer_start(void)
{
    umsim_server_register(UMSIM_COPY, UMSIM_SET, serve);
}
