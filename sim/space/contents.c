/**
 * @file contents.c
 * @brief Implementation of contents.h: the numbers of allocations, and which of them still hold.
 */
#include "contents.h"
#include "array.h"
#include "registry.h"
#include "transfer.h"
#include "../base/layout.h"

#include <string.h>

/* An allocation's number holds while its `contents_of` is this: it goes up when a kernel runs. */
static uint64_t age = 1, taken;

void umsim_contents_may_change(void)
{
    age++;
}

bool umsim_contents_hold(void)
{
    return taken == age;
}

void umsim_contents_written(const void *p, size_t bytes)
{
    struct umsim_alloc *allocation = umsim_registry_find(p);
    if (allocation && (size_t)((const char *)p - allocation->base) + bytes <= allocation->reserved)
        allocation->contents_of = 0;
    else
        age++; /* more than one allocation, or none that is known: anything */
}

/* ---- numbers ---- */

#define LANES 8
/* An odd number without a pattern: the fraction of the golden ratio. */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

static uint64_t rotated(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

/* Each step can be undone, so what differs in one word stays different unless a later word of the lane makes
 * up for it; the turn brings a word's highest bits, which the product leaves alone, to where it spreads them.
 */
static uint64_t step(uint64_t state, uint64_t word)
{
    return rotated(state ^ word, 27) * FACTOR;
}

static uint64_t number_of(const char *p, size_t bytes)
{
    uint64_t lane[LANES];
    for (unsigned i = 0; i < LANES; i++)
        lane[i] = FACTOR * (i + 1);
    for (size_t at = 0; at < bytes; at += sizeof lane) {
        uint64_t word[LANES];
        memcpy(word, p + at, sizeof word);
        for (unsigned i = 0; i < LANES; i++)
            lane[i] = step(lane[i], word[i]);
    }
    uint64_t number = bytes;
    for (unsigned i = 0; i < LANES; i++)
        number = step(number, lane[i] ^ lane[i] >> 32);
    return number ^ number >> 32;
}

/* ---- parts ---- */

struct walk {
    size_t count, unread, all;
    bool is_other; /* memory that is not the device's own */
    struct umsim_contents *now;
};

static struct umsim_part part_of(const struct umsim_alloc *allocation)
{
    return (struct umsim_part){allocation->base, umsim_array_readable(allocation), allocation->contents};
}

char *umsim_contents_of(const struct umsim_part *part)
{
    return umsim_transfer_window((uintptr_t)part->base, part->bytes);
}

static void weigh(struct umsim_alloc *allocation, void *context)
{
    struct walk *walk = context;
    walk->is_other = walk->is_other || !umsim_is_device_only(allocation->memory) || allocation->borrowed ||
                     allocation->shown;
    if (allocation->absent)
        return;
    walk->count++;
    const size_t bytes = umsim_array_readable(allocation);
    walk->all += bytes;
    walk->unread += allocation->contents_of == age ? 0 : bytes;
}

bool umsim_contents_unread(size_t *unread, size_t *all)
{
    struct walk walk = {0};
    umsim_registry_each(weigh, &walk);
    *unread = walk.unread;
    *all = walk.all;
    return !walk.is_other && walk.count <= UMSIM_CONTENTS_PARTS && walk.all <= UMSIM_CONTENTS_BYTES;
}

static void take_part_in(struct umsim_alloc *allocation, void *context)
{
    struct umsim_contents *now = context;
    if (allocation->absent)
        return;
    struct umsim_part part = part_of(allocation);
    if (allocation->contents_of != age) {
        allocation->contents = part.number = number_of(umsim_contents_of(&part), part.bytes);
        allocation->contents_of = age;
    }
    now->number = step(step(step(now->number, (uintptr_t)part.base), part.bytes), part.number);
    now->part[now->count++] = part;
}

void umsim_contents_take(struct umsim_contents *now)
{
    now->number = now->count = 0;
    taken = age;
    umsim_registry_each(take_part_in, now);
}

void umsim_contents_put(const struct umsim_part *part)
{
    struct umsim_alloc *allocation = umsim_registry_find(part->base);
    allocation->contents = part->number;
    allocation->contents_of = age;
}
