/**
 * @file host_pages.c
 * @brief Implementation of client_memory.h: managed and pinned memory, as a client touches it.
 *
 * Of managed memory a client has a copy. What the policy gives the host at a touch is copied in, a unit at a
 * time; before the server does anything else it takes back what the client may have written. So a client
 * never sees a page that it did not ask for, and the policy hears of each first touch, as it would of a
 * thread's of its own.
 */
#include "client_memory.h"
#include "../base/access.h"
#include "../base/memory.h"
#include "../base/report.h"
#include "../fault/explain.h"
#include "../record/ledger.h"
#include "../space/arena.h"
#include "../space/managed.h"
#include "../space/managed_spaces.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/** What is handed out at a touch, at most: larger units cost more where few bytes are touched, smaller ones
 * where many are. */
#define UNIT ((size_t)256 << 10)
/** How far pinned memory is opened either way. */
#define PINNED_REACH ((size_t)64 << 20)

enum { CLOSED, READABLE, WRITABLE };
static char *copy;            /* the managed arena as clients have it */
static unsigned char *states; /* of each page */
static size_t pages;

/* The units that have a page which is not closed. */
static uintptr_t *units;
static size_t count, capacity;
static unsigned to_close;

int umsim_client_copy_make(size_t bytes)
{
    const int fd = umsim_memory_file("umsim-client", bytes);
    pages = bytes / UMSIM_PAGE;
    copy = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    states = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return copy == MAP_FAILED || states == MAP_FAILED ? -1 : fd;
}

static size_t page_of(uintptr_t address)
{
    return (address - UMSIM_MANAGED_BASE) / UMSIM_PAGE;
}

static void remember(uintptr_t unit)
{
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        units = realloc(units, capacity * sizeof *units);
        if (!units)
            umsim_die("no memory for what a client has open");
    }
    units[count++] = unit;
}

/* Pages that the client may have written keep what it wrote. */
static void hand_out(const struct umsim_managed_space *space, uintptr_t from, uintptr_t to, bool writable)
{
    for (uintptr_t at = from; at < to; at += UMSIM_PAGE) {
        unsigned char *state = &states[page_of(at)];
        if (*state == CLOSED)
            memcpy(copy + (at - UMSIM_MANAGED_BASE), space->window + (at - (uintptr_t)space->base),
                   UMSIM_PAGE);
        if (*state < (writable ? WRITABLE : READABLE))
            *state = writable ? WRITABLE : READABLE;
    }
}

static bool has_any(uintptr_t unit)
{
    for (uintptr_t at = unit; at < unit + UNIT && page_of(at) < pages; at += UMSIM_PAGE)
        if (states[page_of(at)])
            return true;
    return false;
}

static bool touch_managed(void *p, bool is_write, struct umsim_message *answer)
{
    const struct umsim_managed_space *space = umsim_managed_space_of(p);
    const uintptr_t unit = umsim_round_down((uintptr_t)p, UNIT);
    uintptr_t from, to;
    if (!umsim_managed_for_host(p, 1) || !umsim_managed_host_take(p, is_write, &from, &to))
        return false;
    from = from < unit ? unit : from;
    to = to > unit + UNIT ? unit + UNIT : to;
    if (!has_any(unit))
        remember(unit);
    hand_out(space, from, to, is_write);
    answer->word[0] = from;
    answer->word[1] = to;
    answer->word[2] = is_write ? PROT_READ | PROT_WRITE : PROT_READ;
    return true;
}

static bool touch_pinned(const struct umsim_arena *arena, void *p, struct umsim_message *answer)
{
    char *start;
    size_t bytes;
    if (!umsim_arena_is_valid(arena, p))
        return false;
    umsim_arena_valid_run(arena, p, PINNED_REACH, &start, &bytes);
    answer->word[0] = (uintptr_t)start;
    answer->word[1] = (uintptr_t)start + bytes;
    answer->word[2] = PROT_READ | PROT_WRITE;
    return true;
}

void umsim_client_touches(void *p, bool is_write, struct umsim_message *answer)
{
    const struct umsim_arena *arena = umsim_arena_of(p);
    bool opened = false;
    if (arena == &umsim_arenas[UMSIM_ARENA_MANAGED])
        opened = touch_managed(p, is_write, answer);
    else if (arena == &umsim_arenas[UMSIM_ARENA_PINNED])
        opened = touch_pinned(arena, p, answer);
    answer->kind = opened ? UMSIM_SERVER_OPENED : UMSIM_SERVER_REFUSED;
    umsim_ledger_totals();
    if (opened)
        return;
    const bool forbidden = arena == &umsim_arenas[UMSIM_ARENA_MANAGED] && umsim_arena_is_valid(arena, p);
    umsim_ledger_host_fault();
    umsim_explain_host_fault(p, (struct umsim_access){true, is_write}, forbidden);
}

static void take_unit_back(uintptr_t unit)
{
    const struct umsim_managed_space *space = umsim_managed_space_of((void *)unit);
    for (uintptr_t at = unit; at < unit + UNIT && page_of(at) < pages; at += UMSIM_PAGE) {
        unsigned char *state = &states[page_of(at)];
        if (*state == WRITABLE)
            memcpy(space->window + (at - (uintptr_t)space->base), copy + (at - UMSIM_MANAGED_BASE),
                   UMSIM_PAGE);
        *state = CLOSED;
    }
}

void umsim_client_take_back(void)
{
    for (size_t i = 0; i < count; i++)
        take_unit_back(units[i]);
    if (count)
        to_close |= UMSIM_CLOSES_MANAGED;
    count = 0;
}

unsigned umsim_client_to_close(void)
{
    const unsigned which = to_close;
    to_close = 0;
    return which;
}

void umsim_client_pinned_freed(void)
{
    to_close |= UMSIM_CLOSES_PINNED;
}
