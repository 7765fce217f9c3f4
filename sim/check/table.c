/**
 * @file table.c
 * @brief Implementation of table.h: a sorted array of ranges, and a version number that is odd during a
 * change.
 *
 * One process writes; the other looks ranges up between two changes.
 */
#include "table.h"
#include "../space/arena.h"
#include "../base/memory.h"

#include <string.h>

static struct table {
    atomic_uint version; /* odd: the table is being changed */
    atomic_uint incomplete;
    size_t count;
    struct umsim_memory_known range[UMSIM_KNOWN_MAX];
} * table;

bool umsim_table_start(void)
{
    if (!table)
        table = umsim_shared_memory(sizeof *table);
    return table != NULL;
}

/* The number of ranges that begin at or before `p`. */
static size_t up_to(uintptr_t p)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (table->range[middle].base <= p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void umsim_table_add(const struct umsim_memory_known *range)
{
    if (table->count == UMSIM_KNOWN_MAX) {
        atomic_store(&table->incomplete, 1);
        return;
    }
    const size_t at = up_to(range->base);
    atomic_fetch_add(&table->version, 1);
    memmove(&table->range[at + 1], &table->range[at], (table->count - at) * sizeof table->range[0]);
    table->range[at] = *range;
    table->count++;
    atomic_fetch_add(&table->version, 1);
}

static void remove_at(size_t at)
{
    atomic_fetch_add(&table->version, 1);
    table->count--;
    memmove(&table->range[at], &table->range[at + 1], (table->count - at) * sizeof table->range[0]);
    atomic_fetch_add(&table->version, 1);
}

void umsim_table_remove(uintptr_t base)
{
    const size_t at = up_to(base);
    if (at && table->range[at - 1].base == base)
        remove_at(at - 1);
}

void umsim_table_remove_all(enum umsim_known what)
{
    for (size_t i = table->count; i-- > 0;)
        if (table->range[i].what == what)
            remove_at(i);
}

unsigned umsim_table_version(void)
{
    return atomic_load_explicit(&table->version, memory_order_acquire);
}

const atomic_uint *umsim_table_version_at(void)
{
    return &table->version;
}

static bool is_cudas(const struct umsim_memory_known *range)
{
    return range->what <= UMSIM_KNOWN_CONSTANT;
}

static void find_nearest(uintptr_t p, size_t at, struct umsim_memory_known *out)
{
    size_t before = at, after = at;
    while (before > 0 && !is_cudas(&table->range[before - 1]))
        before--;
    while (after < table->count && !is_cudas(&table->range[after]))
        after++;
    const struct umsim_memory_known *low = before ? &table->range[before - 1] : NULL;
    const struct umsim_memory_known *high = after < table->count ? &table->range[after] : NULL;
    if (low && (!high || p - (low->base + low->bytes) <= high->base - p))
        *out = *low;
    else if (high)
        *out = *high;
    else
        memset(out, 0, sizeof *out);
}

static bool look_up(uintptr_t p, struct umsim_memory_known *out)
{
    const size_t at = up_to(p);
    const bool found = at && p - table->range[at - 1].base < table->range[at - 1].bytes;
    if (found)
        *out = table->range[at - 1];
    else
        find_nearest(p, at, out);
    return found;
}

bool umsim_table_find(uintptr_t p, struct umsim_memory_known *out)
{
    for (;;) {
        const unsigned before = umsim_table_version();
        const bool found = look_up(p, out);
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && atomic_load_explicit(&table->version, memory_order_relaxed) == before)
            return found;
    }
}

bool umsim_table_is_incomplete(void)
{
    return atomic_load(&table->incomplete);
}
