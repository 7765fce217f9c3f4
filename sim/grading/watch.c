/**
 * @file watch.c
 * @brief Implementation of watch.h: reads /proc/PID/maps and compares it with what the policy grants.
 */
#include "watch.h"
#include "../space/views.h"
#include "../record/ledger.h"
#include "../space/arena.h"
#include "../space/proc_maps.h"
#include "../space/protection.h"
#include "../base/layout.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int maps = -1;

/* The watched memory: the arenas and the spaces, by where they begin, each with the file that the first
 * inspection found mapped there. */
struct watched {
    uintptr_t start, end;
    bool has_file;
    uint64_t file;
    size_t seen; /* bytes, in this inspection */
};
static struct watched watched[UMSIM_ARENAS + UMSIM_SPACES_MAX];
static unsigned watched_count;

static void watch(const char *base, size_t bytes)
{
    watched[watched_count++] = (struct watched){.start = (uintptr_t)base, .end = (uintptr_t)base + bytes};
}

static void choose(void)
{
    for (int i = 0; i < UMSIM_ARENAS; i++)
        watch(umsim_arenas[i].base, umsim_arenas[i].size);
    for (unsigned i = 1; i < atomic_load(&umsim_views->spaces); i++)
        watch(umsim_views->space[i].base, umsim_views->space[i].bytes);
}

bool umsim_watch_open(pid_t host)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)host);
    choose();
    maps = open(path, O_RDONLY | O_CLOEXEC);
    return maps >= 0;
}

static bool is_granted(const struct umsim_managed_space *space, uintptr_t page, bool is_write)
{
    return uvm_granted(space->policy, UVM_CPU, page, is_write) &&
           umsim_managed_is_live(space, (const void *)page);
}

/* Whether the host has lost grants in the page's block and has not been told yet. */
static bool is_unheard(const struct umsim_managed_space *space, uintptr_t page)
{
    const size_t block = umsim_space_block(space, (const void *)page);
    return space->policy->revoked[UVM_CPU][block / 64] >> block % 64 & 1;
}

/* Pinned memory may stay open after it is freed, because it then belongs to nobody. */
static bool may_be_open(const struct watched *it, uintptr_t start, uintptr_t end, bool is_write)
{
    const struct umsim_arena *arena = umsim_arena_of((const void *)it->start);
    const struct umsim_managed_space *space = umsim_managed_space_of((const void *)it->start);
    if (!space)
        return arena == &umsim_arenas[UMSIM_ARENA_PINNED];
    for (uintptr_t page = start; page < end; page += UMSIM_PAGE)
        if (!is_granted(space, page, is_write) && !is_unheard(space, page))
            return false;
    return true;
}

/* The part of [start, start + bytes) that is watched memory. @return whether there is one */
static bool overlap(const struct watched *it, uintptr_t start, size_t bytes, uintptr_t *first,
                    uintptr_t *last)
{
    const uintptr_t end = start + bytes < start ? UINTPTR_MAX : start + bytes;
    *first = start > it->start ? start : it->start;
    *last = end < it->end ? end : it->end;
    return *first < *last;
}

bool umsim_watch_allows(uintptr_t start, size_t bytes, int protection)
{
    uintptr_t first, last;
    for (unsigned i = 0; i < watched_count; i++)
        if (overlap(&watched[i], start, bytes, &first, &last) &&
            ((protection & PROT_EXEC) ||
             !may_be_open(&watched[i], umsim_round_down(first, UMSIM_PAGE), last, protection & PROT_WRITE)))
            return false;
    return true;
}

bool umsim_watch_is_elsewhere(uintptr_t start, size_t bytes)
{
    uintptr_t first, last;
    for (unsigned i = 0; i < watched_count; i++)
        if (overlap(&watched[i], start, bytes, &first, &last))
            return false;
    return true;
}

static bool is_allowed(const struct watched *it, const struct umsim_mapping *mapping, uintptr_t start,
                       uintptr_t end)
{
    const bool is_open = mapping->protection[0] == 'r' || mapping->protection[1] == 'w';
    return mapping->protection[2] != 'x' &&
           (!is_open || may_be_open(it, start, end, mapping->protection[1] == 'w'));
}

static void consider(const struct umsim_mapping *mapping)
{
    for (unsigned i = 0; i < watched_count; i++) {
        struct watched *it = &watched[i];
        uintptr_t start, end;
        if (!overlap(it, mapping->start, mapping->end - mapping->start, &start, &end))
            continue;
        if (!it->has_file)
            it->file = mapping->file;
        it->has_file = true;
        it->seen += end - start;
        const bool is_in_place =
            !mapping->file || mapping->offset + (start - mapping->start) == start - it->start;
        if (mapping->file != it->file || !is_in_place)
            umsim_ledger_tampered(UMSIM_TAMPERED_MAPPING);
        if (!is_allowed(it, mapping, start, end))
            umsim_ledger_tampered(UMSIM_TAMPERED_PROTECTION);
    }
}

void umsim_watch_inspect(void)
{
    for (unsigned i = 0; i < watched_count; i++)
        watched[i].seen = 0;
    if (lseek(maps, 0, SEEK_SET) != 0 || !umsim_proc_maps_each(maps, consider))
        umsim_ledger_tampered(UMSIM_TAMPERED_MAPPING);
    for (unsigned i = 0; i < watched_count; i++)
        if (watched[i].seen != watched[i].end - watched[i].start)
            umsim_ledger_tampered(UMSIM_TAMPERED_MAPPING);
}
