/**
 * @file registered_table.c
 * @brief Implementation of registered_table.h: a set of spans, a stack of free entries, a queue of those that
 * the GPU process still has to give up, and the list of what it has to follow.
 */
#include "registered_table.h"
#include "../base/memory.h"
#include "../base/spans.h"

#include <stdio.h>
#include <sys/mman.h>

/* The host's own part of the table. It is shared memory, because private memory counts for RLIMIT_DATA. */
static struct own {
    struct umsim_span span[UMSIM_REGISTERED_MAX];
    unsigned unused[UMSIM_REGISTERED_MAX];
    unsigned ended[UMSIM_REGISTERED_MAX]; /* a ring */
} * own;
static struct umsim_spans alive;
static unsigned unused_count, ended_first, ended_count, ever_used;

bool umsim_registered_table_start(void)
{
    void *p =
        mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    own = p == MAP_FAILED ? NULL : p;
    if (own)
        umsim_keep_out_of_cores(own, sizeof *own);
    return own;
}

static unsigned index_of(const struct umsim_registered *entry)
{
    return (unsigned)(entry - umsim_views->registered);
}

static bool is_free(unsigned index)
{
    return atomic_load(&umsim_views->registered[index].state) == UMSIM_REGISTERED_FREE;
}

static void collect_ended(void)
{
    while (ended_count && is_free(own->ended[ended_first])) {
        own->unused[unused_count++] = own->ended[ended_first];
        ended_first = (ended_first + 1) % UMSIM_REGISTERED_MAX;
        ended_count--;
    }
}

struct umsim_registered *umsim_registered_take(void)
{
    if (!unused_count)
        collect_ended();
    if (unused_count)
        return &umsim_views->registered[own->unused[--unused_count]];
    return ever_used < UMSIM_REGISTERED_MAX ? &umsim_views->registered[ever_used++] : NULL;
}

const char *umsim_registered_why_none(void)
{
    static char text[120];
    snprintf(text, sizeof text,
             "%u pieces of memory are registered already, and the table has no more places",
             UMSIM_REGISTERED_MAX);
    return text;
}

void umsim_registered_give_back(struct umsim_registered *entry)
{
    own->unused[unused_count++] = index_of(entry);
}

/* Puts an entry, whose state is told already, at the head of the list. The GPU process takes the list as a
 * whole. */
static void tell_of(struct umsim_registered *entry)
{
    if (atomic_exchange(&entry->changed, true))
        return;
    unsigned first = atomic_load(&umsim_views->registered_changed);
    do
        entry->next_changed = first;
    while (!atomic_compare_exchange_weak(&umsim_views->registered_changed, &first, index_of(entry) + 1));
}

void umsim_registered_free_ended(void)
{
    for (unsigned i = 0; i < atomic_load(&umsim_views->registered_used); i++)
        if (atomic_load(&umsim_views->registered[i].state) == UMSIM_REGISTERED_STALE)
            atomic_store(&umsim_views->registered[i].state, UMSIM_REGISTERED_FREE);
}

void umsim_registered_tell_anew(void)
{
    atomic_store(&umsim_views->registered_changed, 0);
    for (unsigned i = 0; i < atomic_load(&umsim_views->registered_used); i++) {
        struct umsim_registered *entry = &umsim_views->registered[i];
        atomic_store(&entry->changed, false);
        if (atomic_load(&entry->state) != UMSIM_REGISTERED_FREE)
            tell_of(entry);
    }
}

void umsim_registered_enter(struct umsim_registered *entry)
{
    const unsigned index = index_of(entry);
    own->span[index] = (struct umsim_span){.start = (uintptr_t)entry->base, .bytes = entry->bytes};
    umsim_spans_add(&alive, &own->span[index]);
    if (index >= atomic_load(&umsim_views->registered_used))
        atomic_store(&umsim_views->registered_used, index + 1);
    atomic_store(&entry->known, false);
    atomic_store(&entry->state, UMSIM_REGISTERED_LIVE);
    tell_of(entry);
}

void umsim_registered_end(struct umsim_registered *entry)
{
    const unsigned index = index_of(entry);
    umsim_spans_remove(&alive, &own->span[index]);
    if (!atomic_load(&entry->known)) { /* no kernel ran meanwhile */
        atomic_store(&entry->state, UMSIM_REGISTERED_FREE);
        umsim_registered_give_back(entry);
        return;
    }
    atomic_store(&entry->state, UMSIM_REGISTERED_STALE);
    tell_of(entry);
    own->ended[(ended_first + ended_count++) % UMSIM_REGISTERED_MAX] = index;
}

struct umsim_registered *umsim_registered_at_or_after(const char *p, const char *end)
{
    const struct umsim_span *found = umsim_spans_find(&alive, (uintptr_t)p);
    if (!found)
        found = umsim_spans_behind(&alive, (uintptr_t)p);
    return found && found->start < (uintptr_t)end ? &umsim_views->registered[found - own->span] : NULL;
}
