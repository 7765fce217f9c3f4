/**
 * @file residency_bar.c
 * @brief Implementation of residency_bar.h: counts the pages of each slice and picks its character.
 */
#include "residency_bar.h"

/* Where a page may be: with one processor (its number), with several, nowhere. A slice has one character if
 * all its pages are there, another if only most are. Of equally frequent places, the first wins. */
enum { DUPLICATED = UVM_PROCESSORS, NOWHERE, PLACES };

static char character_of(int place, bool is_all, bool several_gpus)
{
    if (place == UVM_CPU)
        return is_all ? 'H' : 'h';
    if (place == DUPLICATED)
        return is_all ? '=' : '-';
    if (place == NOWHERE)
        return is_all ? '.' : ',';
    if (!is_all)
        return 'g';
    return several_gpus ? (char)('0' + place - UVM_GPU) : 'G';
}

static int place_of(const uint64_t pages[UVM_PROCESSORS])
{
    int place = NOWHERE;
    for (int processor = 0; processor < UVM_PROCESSORS; processor++)
        if (pages[processor])
            place = place == NOWHERE ? processor : DUPLICATED;
    return place;
}

static char draw_slice(const struct uvm_space *space, uintptr_t start, size_t pages)
{
    size_t count[PLACES] = {0};
    int most = UVM_CPU;
    for (size_t page = 0; page < pages; page++) {
        uint64_t resident[UVM_PROCESSORS];
        uvm_count_resident(space, start + page * UVM_PAGE_BYTES, 1, resident);
        count[place_of(resident)]++;
    }
    for (int place = 1; place < PLACES; place++)
        if (count[place] > count[most])
            most = place;
    return character_of(most, count[most] == pages, space->system->processors > 2);
}

size_t umsim_draw_residency(const struct uvm_space *space, uintptr_t address, size_t bytes, size_t characters,
                            size_t skip, char *part, size_t capacity)
{
    uintptr_t first = address / UVM_PAGE_BYTES;
    size_t pages = bytes == 0 ? 0 : (address + bytes - 1) / UVM_PAGE_BYTES - first + 1;
    size_t drawn = 0;
    if (characters > pages)
        characters = pages;
    for (size_t i = skip; i < characters && drawn < capacity; i++) {
        size_t from = pages * i / characters, to = pages * (i + 1) / characters;
        part[drawn++] = draw_slice(space, (first + from) * UVM_PAGE_BYTES, to - from);
    }
    return drawn;
}
