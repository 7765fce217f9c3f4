/* registry.c: see registry.h. A sorted array: lookups are by address, and allocations are few beside accesses. */
#include "registry.h"
#include "gaps.h"
#include "layout.h"

#include <stdlib.h>
#include <string.h>

/** Freed allocations that explanations still know. */
#define FREED_NOTES 64

static struct umsim_alloc **entries;
static size_t count, room;
static struct umsim_gaps gaps[UMSIM_ARENAS];
static struct umsim_alloc freed[FREED_NOTES];
static size_t freed_count, device_used;

static enum umsim_arena_kind arena_kind(enum umsim_memory memory)
{
    switch (memory) {
    case UMSIM_PINNED:
        return UMSIM_ARENA_PINNED;
    case UMSIM_MANAGED:
        return UMSIM_ARENA_MANAGED;
    default:
        return UMSIM_ARENA_DEVICE;
    }
}

/* Every managed allocation starts a VA block of its own, so that the paging policy never mixes two of them. */
static size_t span(enum umsim_arena_kind kind, size_t bytes)
{
    return umsim_round_up(bytes, kind == UMSIM_ARENA_MANAGED ? UMSIM_VA_BLOCK : UMSIM_PAGE);
}

/* The number of entries whose base is at most p. */
static size_t entries_up_to(const void *p)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((uintptr_t)entries[middle]->base <= (uintptr_t)p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct umsim_alloc *umsim_registry_add(void *base, size_t bytes, enum umsim_memory memory, const char *call,
                                       const void *caller)
{
    struct umsim_alloc *entry = calloc(1, sizeof *entry);
    if (count == room) {
        size_t more = room ? 2 * room : 64;
        struct umsim_alloc **grown = entry ? realloc(entries, more * sizeof *grown) : NULL;
        if (!grown) {
            free(entry);
            return NULL;
        }
        entries = grown;
        room = more;
    }
    if (!entry)
        return NULL;
    *entry = (struct umsim_alloc){.base = base,
                                  .bytes = bytes,
                                  .reserved = umsim_round_up(bytes, UMSIM_PAGE),
                                  .memory = memory,
                                  .call = call,
                                  .caller = caller};
    size_t at = entries_up_to(base);
    memmove(&entries[at + 1], &entries[at], (count - at) * sizeof *entries);
    entries[at] = entry;
    count++;
    return entry;
}

void umsim_registry_remove(struct umsim_alloc *allocation)
{
    size_t at = entries_up_to(allocation->base) - 1;
    count--;
    memmove(&entries[at], &entries[at + 1], (count - at) * sizeof *entries);
    freed[freed_count++ % FREED_NOTES] = *allocation;
    free(allocation);
}

struct umsim_alloc *umsim_allocate(enum umsim_memory memory, size_t bytes, const char *call,
                                   const void *caller)
{
    enum umsim_arena_kind kind = arena_kind(memory);
    struct umsim_arena *arena = &umsim_arenas[kind];
    if (bytes > arena->size)
        return NULL;
    if (!gaps[kind].room && !umsim_gaps_put(&gaps[kind], 0, arena->size))
        return NULL;
    size_t start;
    if (!umsim_gaps_take(&gaps[kind], span(kind, bytes), &start))
        return NULL;
    struct umsim_alloc *entry = umsim_registry_add(arena->base + start, bytes, memory, call, caller);
    if (!entry) {
        umsim_gaps_put(&gaps[kind], start, span(kind, bytes));
        return NULL;
    }
    umsim_arena_set_valid(arena, entry->base, entry->reserved, true);
    if (memory == UMSIM_DEVICE)
        device_used += entry->reserved;
    return entry;
}

void umsim_release(struct umsim_alloc *allocation)
{
    enum umsim_arena_kind kind = arena_kind(allocation->memory);
    struct umsim_arena *arena = &umsim_arenas[kind];
    umsim_arena_set_valid(arena, allocation->base, allocation->reserved, false);
    umsim_arena_discard(arena, allocation->base, allocation->reserved);
    umsim_gaps_put(&gaps[kind], (size_t)(allocation->base - arena->base), span(kind, allocation->bytes));
    if (allocation->memory == UMSIM_DEVICE)
        device_used -= allocation->reserved;
    umsim_registry_remove(allocation);
}

struct umsim_alloc *umsim_registry_find(const void *p)
{
    size_t upto = entries_up_to(p);
    if (upto == 0)
        return NULL;
    struct umsim_alloc *entry = entries[upto - 1];
    return (uintptr_t)p - (uintptr_t)entry->base < entry->bytes ? entry : NULL;
}

struct umsim_alloc *umsim_registry_overlap(const void *p, size_t bytes)
{
    struct umsim_alloc *holder = umsim_registry_find(p);
    if (holder)
        return holder;
    size_t next = entries_up_to(p);
    return next < count && (uintptr_t)entries[next]->base - (uintptr_t)p < bytes ? entries[next] : NULL;
}

void umsim_registry_each(void (*visit)(struct umsim_alloc *, void *), void *context)
{
    for (size_t i = 0; i < count;) {
        struct umsim_alloc *entry = entries[i];
        visit(entry, context);
        if (i < count && entries[i] == entry)
            i++;
    }
}

const struct umsim_alloc *umsim_registry_freed(const void *p)
{
    size_t known = freed_count < FREED_NOTES ? freed_count : FREED_NOTES;
    for (size_t back = 1; back <= known; back++) {
        const struct umsim_alloc *note = &freed[(freed_count - back) % FREED_NOTES];
        if ((uintptr_t)p - (uintptr_t)note->base < note->bytes)
            return note;
    }
    return NULL;
}

size_t umsim_device_bytes_used(void)
{
    return device_used;
}
