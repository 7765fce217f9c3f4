/**
 * @file residency_bar.c
 * @brief Implementation of residency_bar.h: counts the pages of each slice and picks its character.
 */
#include "residency_bar.h"

/* Where a page may be. A slice has one character if all its pages are there, another if only most are. Of
 * equally frequent places, the first wins. */
enum place { ON_HOST, ON_GPU, ON_BOTH, NOWHERE, PLACES };
static const char all_of_it[PLACES] = {'H', 'G', '=', '.'};
static const char most_of_it[PLACES] = {'h', 'g', '-', ','};

static enum place place_of(const uint64_t pages[UVM_PROCESSORS])
{
    if (pages[UVM_CPU] > 0)
        return pages[UVM_GPU] > 0 ? ON_BOTH : ON_HOST;
    return pages[UVM_GPU] > 0 ? ON_GPU : NOWHERE;
}

static char draw_slice(const struct uvm_space *space, uintptr_t start, size_t pages)
{
    size_t count[PLACES] = {0};
    int most = 0;
    for (size_t page = 0; page < pages; page++) {
        uint64_t resident[UVM_PROCESSORS];
        uvm_count_resident(space, start + page * UVM_PAGE_BYTES, 1, resident);
        count[place_of(resident)]++;
    }
    for (int place = 1; place < PLACES; place++)
        if (count[place] > count[most])
            most = place;
    return count[most] == pages ? all_of_it[most] : most_of_it[most];
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
