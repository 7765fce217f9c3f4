/**
 * @file releases.c
 * @brief Implementation of releases.h: a list for each block, and what each address hands on.
 */
#include "releases.h"
#include "../base/memory.h"

#include <string.h>
#include <sys/mman.h>

#define BLOCKS ((size_t)1 << UNIT_BITS)
#define RECORDS ((size_t)1 << 22)
#define WALK_MAX 4096

static struct {
    uint32_t *last;     /* for each block: its newest release */
    uint32_t *unfenced; /* likewise: the tick of its first atomic write without a fence for all before it */
    struct umsim_release *record;
} storage;

static struct {
    uint32_t first_unit, tick;
    uint32_t records;
    uint32_t handed_on[UMSIM_OBJECTS][UMSIM_OBJECTS]; /* what those who released at a place knew */
} now;

void umsim_releases_start(void)
{
    storage.last = umsim_shared_memory(BLOCKS * sizeof *storage.last);
    storage.unfenced = umsim_shared_memory(BLOCKS * sizeof *storage.unfenced);
    storage.record = umsim_shared_memory(RECORDS * sizeof *storage.record);
}

static void forget_unfenced(void)
{
    madvise(storage.unfenced, BLOCKS * sizeof *storage.unfenced, MADV_REMOVE);
}

static void forget_records(void)
{
    madvise(storage.last, BLOCKS * sizeof *storage.last, MADV_REMOVE);
    madvise(storage.record, RECORDS * sizeof *storage.record, MADV_REMOVE);
}

void umsim_releases_anew(void)
{
    forget_unfenced();
    forget_records();
}

void umsim_releases_launch(uint32_t first_unit)
{
    if (now.tick)
        forget_unfenced();
    if (now.records) {
        forget_records();
        memset(now.handed_on, 0, sizeof now.handed_on);
    }
    now.first_unit = first_unit;
    now.tick = now.records = 0;
}

uint32_t umsim_releases_tick(void)
{
    return now.tick;
}

static uint8_t object_at(uintptr_t p)
{
    return (uint8_t)(p / sizeof(int) % UMSIM_OBJECTS);
}

static void take_larger(uint32_t *to, const uint32_t *from)
{
    for (int i = 0; i < UMSIM_OBJECTS; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

void umsim_releases_see(struct umsim_knowledge *block, uintptr_t p)
{
    const uint8_t object = object_at(p);
    block->tick = now.tick;
    if (!now.records)
        return;
    take_larger(block->seen, now.handed_on[object]);
    block->seen[object] = now.tick;
    block->waits = true;
}

void umsim_releases_acquire(struct umsim_knowledge *block)
{
    if (block->waits)
        memcpy(block->knows, block->seen, sizeof block->knows);
    block->waits = false;
}

static bool is_same(const struct umsim_release *a, const struct umsim_release *b)
{
    return a->object == b->object && memcmp(&a->fence, &b->fence, sizeof a->fence) == 0 &&
           memcmp(&a->fence_all, &b->fence_all, sizeof a->fence_all) == 0;
}

void umsim_releases_none(uint32_t unit)
{
    uint32_t *first = &storage.unfenced[unit - now.first_unit];
    now.tick++;
    *first = *first ? *first : now.tick;
}

uint32_t umsim_releases_add(uint32_t unit, const struct umsim_release *release, uintptr_t p,
                            struct umsim_knowledge *block, uint32_t *last)
{
    const uint32_t index = unit - now.first_unit;
    struct umsim_release mine = *release;
    mine.object = object_at(p);
    mine.tick = ++now.tick;
    if (!mine.fence_all.is_made && !storage.unfenced[index])
        storage.unfenced[index] = now.tick;
    if (!mine.fence.is_made && !mine.fence_all.is_made)
        return now.tick;
    if (mine.fence_all.is_made)
        take_larger(now.handed_on[mine.object], block->knows);
    /* A thread that polls by atomics releases the same again and again: the first one says all. */
    if ((*last && is_same(&storage.record[*last], &mine)) || now.records + 1 == RECORDS)
        return now.tick;
    mine.next = storage.last[index];
    *last = storage.last[index] = ++now.records;
    storage.record[*last] = mine;
    return now.tick;
}

static bool covers(const struct umsim_moment *fence, const struct umsim_release *release,
                   const struct shadow_word *before)
{
    if (!fence->is_made)
        return false;
    if (before->epoch == EPOCH_MAX || before->epoch < fence->barrier)
        return true;
    if (before->thread == release->thread)
        return before->epoch < fence->clock;
    return before->thread / 32 == release->thread / 32 && before->epoch <= release->at &&
           (before->warp < fence->warp || before->warp == WARP_MAX);
}

bool umsim_releases_within(const struct shadow_word *before, uint32_t tick)
{
    unsigned walked = 0;
    for (uint32_t at = storage.last[before->unit - now.first_unit]; at; at = storage.record[at].next) {
        const struct umsim_release *it = &storage.record[at];
        if (++walked > WALK_MAX || (it->tick <= tick && covers(&it->fence, it, before)))
            return true;
    }
    return now.records + 1 == RECORDS;
}

bool umsim_releases_between(const struct shadow_word *before, const struct umsim_knowledge *block, bool seen)
{
    const uint32_t *limit = seen ? block->seen : block->knows;
    unsigned walked = 0, known_of = 0;
    bool knows_one = false, knows_others = false; /* a later release; later ones of several threads */
    for (uint32_t at = storage.last[before->unit - now.first_unit]; at; at = storage.record[at].next) {
        const struct umsim_release *it = &storage.record[at];
        if (++walked > WALK_MAX)
            return true;
        /* What a thread hands to others of its block, they hand on. */
        if (knows_one && (knows_others || it->thread != known_of) && covers(&it->fence, it, before))
            return true;
        if (!it->fence_all.is_made || it->tick > limit[it->object])
            continue;
        if (covers(&it->fence_all, it, before))
            return true;
        knows_others |= knows_one && it->thread != known_of;
        knows_one = true;
        known_of = it->thread;
    }
    return now.records + 1 == RECORDS;
}

bool umsim_releases_without_fence(const struct shadow_word *before, const struct umsim_knowledge *block)
{
    const uint32_t index = before->unit - now.first_unit, first = storage.unfenced[index];
    if (first && first <= block->tick)
        return true;
    for (uint32_t at = storage.last[index]; at; at = storage.record[at].next)
        if (storage.record[at].tick <= block->tick && storage.record[at].at >= before->epoch)
            return true;
    return false;
}
