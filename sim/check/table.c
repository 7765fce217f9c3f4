/**
 * @file table.c
 * @brief Implementation of table.h: a sorted array of ranges, and a version number that is odd during a
 * change.
 *
 * One process writes; the other looks ranges up at any time, and again if there was a change meanwhile. What
 * it may read during a change is made of atomic words, in no order; two fences order them with the version
 * (docs/memory-order.md).
 */
#include "table.h"
#include "../space/arena.h"
#include "../base/memory.h"

#include <string.h>

enum { WORDS = sizeof(struct umsim_memory_known) / sizeof(uint64_t) };
union entry {
    struct umsim_memory_known known; /* for the writer, whom nobody disturbs */
    _Atomic uint64_t word[WORDS];
};
_Static_assert(sizeof(union entry) == WORDS * sizeof(uint64_t), "a range is whole words");

/* A key is where a range begins and, in its last bits, the place of the rest: only keys are kept sorted. */
enum { PLACE_BITS = 16, ADDRESS_BITS = 64 - PLACE_BITS };
_Static_assert(UMSIM_KNOWN_MAX == 1 << PLACE_BITS, "a place's number fits a key");

static struct table {
    atomic_uint version; /* odd: the table is being changed */
    atomic_uint incomplete;
    atomic_size_t count;
    _Atomic uint64_t key[UMSIM_KNOWN_MAX];
    union entry range[UMSIM_KNOWN_MAX];
    /* the writer's own: places that were given back, and how many were ever used */
    uint16_t unused[UMSIM_KNOWN_MAX];
    size_t unused_count, ever_used;
} * table;

static size_t in_table(void)
{
    return atomic_load_explicit(&table->count, memory_order_relaxed);
}

static uint64_t key_at(size_t at)
{
    return atomic_load_explicit(&table->key[at], memory_order_relaxed);
}

static void set_key(size_t at, uint64_t key)
{
    atomic_store_explicit(&table->key[at], key, memory_order_relaxed);
}

static uintptr_t base_of(size_t at)
{
    return key_at(at) >> PLACE_BITS;
}

static size_t place_of(size_t at)
{
    return key_at(at) % UMSIM_KNOWN_MAX;
}

static void read_entry(size_t at, struct umsim_memory_known *out)
{
    const size_t place = place_of(at);
    for (size_t i = 0; i < WORDS; i++) {
        const uint64_t word = atomic_load_explicit(&table->range[place].word[i], memory_order_relaxed);
        memcpy((char *)out + i * sizeof word, &word, sizeof word);
    }
}

static void write_entry(size_t place, const struct umsim_memory_known *range)
{
    uint64_t word[WORDS];
    memcpy(word, range, sizeof word);
    for (int i = 0; i < WORDS; i++)
        atomic_store_explicit(&table->range[place].word[i], word[i], memory_order_relaxed);
}

/* Whoever sees something of the change sees the odd number, too. */
static void begin_change(void)
{
    atomic_fetch_add_explicit(&table->version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

/* Whoever sees the even number sees the whole change. */
static void end_change(size_t count)
{
    atomic_store_explicit(&table->count, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&table->version, 1, memory_order_release);
}

bool umsim_table_start(void)
{
    if (!table)
        table = umsim_shared_memory(sizeof *table);
    return table != NULL;
}

/* The number of ranges that begin at or before `p`. */
static size_t up_to(uintptr_t p)
{
    size_t low = 0, high = in_table();
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (base_of(middle) <= p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void umsim_table_add(const struct umsim_memory_known *range)
{
    const size_t count = in_table(), at = up_to(range->base);
    if (count == UMSIM_KNOWN_MAX || range->base >> ADDRESS_BITS) {
        atomic_store(&table->incomplete, 1);
        return;
    }
    const size_t place = table->unused_count ? table->unused[--table->unused_count] : table->ever_used++;
    begin_change();
    write_entry(place, range);
    for (size_t i = count; i > at; i--)
        set_key(i, key_at(i - 1));
    set_key(at, (uint64_t)range->base << PLACE_BITS | place);
    end_change(count + 1);
}

static void remove_at(size_t at)
{
    const size_t count = in_table() - 1;
    table->unused[table->unused_count++] = (uint16_t)place_of(at);
    begin_change();
    for (size_t i = at; i < count; i++)
        set_key(i, key_at(i + 1));
    end_change(count);
}

void umsim_table_remove(uintptr_t base)
{
    const size_t at = up_to(base);
    if (at && base_of(at - 1) == base)
        remove_at(at - 1);
}

void umsim_table_remove_all(enum umsim_known what)
{
    for (size_t i = in_table(); i-- > 0;)
        if (table->range[place_of(i)].known.what == what)
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
    struct umsim_memory_known low = {0}, high = {0};
    bool has_low = false, has_high = false;
    for (size_t i = at; i-- > 0 && !has_low; has_low = is_cudas(&low))
        read_entry(i, &low);
    for (size_t i = at; i < in_table() && !has_high; has_high = is_cudas(&high), i++)
        read_entry(i, &high);
    if (has_low && (!has_high || p - (low.base + low.bytes) <= high.base - p))
        *out = low;
    else if (has_high)
        *out = high;
    else
        memset(out, 0, sizeof *out);
}

static bool look_up(uintptr_t p, struct umsim_memory_known *out)
{
    const size_t at = up_to(p);
    if (at)
        read_entry(at - 1, out);
    if (at && p - out->base < out->bytes)
        return true;
    find_nearest(p, at, out);
    return false;
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
