/**
 * @file pieces.c
 * @brief Implementation of pieces.h.
 */
#include "pieces.h"
#include "init.h"
#include "../base/devices.h"
#include "../base/futex.h"
#include "../base/layout.h"
#include "../base/memory.h"
#include "../space/arena.h"

#include <sys/mman.h>

#define UNIT ((size_t)16)
#define PLACES 1024 /* the last one stands for all that do not fit */

struct note {
    uint16_t valid : 5; /* bytes of a piece */
    uint16_t starts : 1;
    uint16_t place : 10;
};
_Static_assert(sizeof(struct note) == sizeof(uint16_t), "two bytes for sixteen");

static struct note *notes; /* for each unit of each device's heap */
static struct pieces {
    atomic_flag lock;
    struct umsim_pieces_left place[PLACES];
} * pieces; /* of each device */

static size_t heap_bytes(void)
{
    return umsim_arenas[UMSIM_ARENA_DEVICE].set_aside;
}

static uintptr_t heap_base(void)
{
    return (uintptr_t)umsim_device_start(umsim_own_device) + umsim_device_part() - heap_bytes();
}

static size_t notes_bytes(void)
{
    return umsim_round_up(heap_bytes() / UNIT * sizeof *notes, UMSIM_PAGE);
}

static struct note *notes_of(unsigned device)
{
    return (struct note *)((char *)notes + device * notes_bytes());
}

bool umsim_pieces_start(void)
{
    if (!notes)
        notes = umsim_shared_memory(umsim_devices * notes_bytes());
    if (!pieces)
        pieces = umsim_shared_memory(umsim_devices * sizeof *pieces);
    return notes && pieces;
}

void umsim_pieces_reset(unsigned device)
{
    if (!notes)
        return;
    madvise(notes_of(device), notes_bytes(), MADV_REMOVE);
    for (size_t i = 0; i < PLACES; i++)
        pieces[device].place[i] = (struct umsim_pieces_left){0};
}

static size_t place_of(const struct umsim_pieces_left *place, const void *caller)
{
    size_t i = 0;
    while (i < PLACES - 1 && place[i].caller && place[i].caller != caller)
        i++;
    return i;
}

void umsim_pieces_taken(const void *p, size_t bytes, const void *caller)
{
    if (!notes || !p)
        return;
    struct pieces *own = &pieces[umsim_own_device];
    struct note *note = notes_of(umsim_own_device) + ((uintptr_t)p - heap_base()) / UNIT;
    umsim_spin_lock(&own->lock);
    const size_t place = place_of(own->place, caller);
    own->place[place].caller = caller;
    own->place[place].count++;
    own->place[place].bytes += bytes;
    umsim_spin_unlock(&own->lock);
    for (size_t done = 0; done < bytes; done += UNIT)
        note[done / UNIT] = (struct note){
            .valid = bytes - done < UNIT ? bytes - done : UNIT, .starts = done == 0, .place = place};
    if (umsim_init_knows((uintptr_t)p))
        umsim_init_forget((uintptr_t)p, bytes);
}

void umsim_pieces_given_back(const void *p)
{
    struct pieces *own = &pieces[umsim_own_device];
    struct note *note = notes_of(umsim_own_device);
    const size_t first = ((uintptr_t)p - heap_base()) / UNIT, units = heap_bytes() / UNIT;
    if (!notes || first >= units || !note[first].starts)
        return;
    const size_t place = note[first].place;
    size_t bytes = 0;
    for (size_t i = first; i < units && note[i].valid && (i == first || !note[i].starts); i++) {
        bytes += note[i].valid;
        note[i] = (struct note){0};
    }
    umsim_spin_lock(&own->lock);
    own->place[place].count--;
    own->place[place].bytes -= bytes;
    umsim_spin_unlock(&own->lock);
}

bool umsim_pieces_hold(uintptr_t p, size_t bytes)
{
    const struct note *note = notes_of(umsim_own_device);
    const uintptr_t start = p - heap_base(), end = start + bytes;
    if (!notes || start >= heap_bytes() || end > heap_bytes())
        return false;
    for (uintptr_t at = start; at < end; at = (at / UNIT + 1) * UNIT) {
        const uintptr_t unit_end = (at / UNIT + 1) * UNIT, last = end < unit_end ? end : unit_end;
        if (last - at / UNIT * UNIT > note[at / UNIT].valid)
            return false;
    }
    return true;
}

void umsim_pieces_each_left(void (*visit)(const struct umsim_pieces_left *left, void *own), void *own)
{
    for (size_t i = 0; pieces && i < umsim_devices * PLACES; i++)
        if (pieces[i / PLACES].place[i % PLACES].count)
            visit(&pieces[i / PLACES].place[i % PLACES], own);
}
