/**
 * @file quick.h
 * @brief The short way of a checked access: what is true of nearly all, decided by a few comparisons.
 *
 * access.c judges each access. Most are like the one before from the same place in the program: in the same
 * array, aligned, written before, and in order with what the shadow words hold. For each place it is kept
 * here which range of memory its last access was in, and what is to be looked at there. An access that stays
 * in that range, and whose shadow words leave no doubt, is done in some ns, with the effect that access.c and
 * race.c would have had. Any other goes the long way, which brings the place up to date.
 *
 * The short way reports nothing, and takes nothing as ordered that the long way would compare: each of its
 * conditions is one under which race.c finds two accesses in order (or one thread's), and stores the same
 * shadow words. It is not taken for atomic and volatile accesses, for ranges of bytes, nor while something
 * waits for the next access (umsim_quick_close()). `UMSIM_CHECK=all,each` has each access go the long way:
 * tests/check/quick.py compares the two.
 *
 * GPU process only; one worker runs all.
 */
#ifndef UMSIM_CHECK_QUICK_H
#define UMSIM_CHECK_QUICK_H

#include "access.h"
#include "order.h"
#include "pretest.h"
#include "shadow_word.h"
#include "table.h"
#include "../worker/worker.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UMSIM_QUICK_PLACES 1024

/** What is to be looked at in a range. */
enum umsim_quick_kind {
    UMSIM_QUICK_NONE,
    UMSIM_QUICK_GLOBAL, /**< with shadow words */
    UMSIM_QUICK_SHARED, /**< the same, of `__shared__` memory */
    UMSIM_QUICK_FREE,   /**< nothing: the library's, and constants, which are read only */
};

/** A place in the program, and the range of its last access. */
struct umsim_quick_place {
    const void *pc;
    uintptr_t base;
    size_t bytes;
    enum umsim_quick_kind kind;
    unsigned table_version, launch;
    uint64_t site;     /* as shadow words have it */
    uintptr_t shadow;  /* where the shadow words of address 0 would be */
    uintptr_t written; /* GLOBAL: where the bits of address 0 would be (init.h); 0: not followed */
};

/** The current thread, its stamp, and its block. */
extern struct umsim_quick {
    bool is_open;
    const struct umsim_fiber *thread;
    const atomic_uint *table_version;
    const struct umsim_worker *worker; /* which runs it */
    unsigned order_version, launch;
    uint64_t stamp;
    uint32_t unit, first_unit;
    unsigned number, barrier;
    bool is_ordered; /* with all launches before */
    struct umsim_pretest_reads *reads;
    struct umsim_access_own_stack stack;
    uint32_t block;                  /* written_in[] of what the block has written */
    const char *shared;              /* the start of its __shared__ memory */
    uint32_t *written_in, *split_in; /* for each byte; for each 4 (race_memory.h) */
    struct umsim_quick_place place[UMSIM_QUICK_PLACES];
} umsim_quick;

/** The next access goes the long way. */
static inline void umsim_quick_close(void)
{
    umsim_quick.is_open = false;
}

/** Another thread runs, or the clock has gone on: its stamp is made anew.
 * @return false: only the long way compares its accesses */
bool umsim_quick_restamp(void);

/** A launch begins: what is known of ranges holds no longer. A block begins, or goes on: `number` stands in
 * `written_in` for each byte of `__shared__` memory that it has written. */
void umsim_quick_launch(void);
void umsim_quick_block(uint32_t number, uint32_t *written_in);

/** Ranges for umsim_quick_learn(). @param shadow the shadow words at `base`; NULL: there are none */
struct umsim_quick_place umsim_quick_global(uintptr_t base, size_t bytes, const uint64_t *shadow,
                                            bool tracks_init);
struct umsim_quick_place umsim_quick_shared(uintptr_t base, size_t bytes);

/** An access has gone the long way, in this range. Opens the short way for its thread, and for its place,
 * unless the range is UMSIM_QUICK_NONE. */
void umsim_quick_learn(const void *pc, const struct umsim_quick_place *range);

static inline struct umsim_quick_place *umsim_quick_place_of(const void *pc)
{
    return &umsim_quick.place[((uintptr_t)pc ^ (uintptr_t)pc >> 10) % UMSIM_QUICK_PLACES];
}

/* ---- shadow words as whole numbers: shadow_word.h has their order, quick.c asserts it ---- */

static inline uint32_t quick_unit(uint64_t word)
{
    return word & UNIT_MAX;
}

static inline unsigned quick_thread(uint64_t word)
{
    return word >> UNIT_BITS & ((1U << THREAD_BITS) - 1);
}

static inline unsigned quick_epoch(uint64_t word)
{
    return word >> (UNIT_BITS + THREAD_BITS) & EPOCH_MAX;
}

static inline unsigned quick_warp(uint64_t word)
{
    return word >> (UNIT_BITS + THREAD_BITS + EPOCH_BITS) & WARP_MAX;
}

#define QUICK_PART_SHIFT (UNIT_BITS + THREAD_BITS + EPOCH_BITS + WARP_BITS)
#define QUICK_FLAG (UINT64_C(1) << (QUICK_PART_SHIFT + PART_BITS))

static inline unsigned quick_part(uint64_t word)
{
    return word >> QUICK_PART_SHIFT & ((1U << PART_BITS) - 1);
}

/* Of __shared__ memory each word is looked at as a whole. */
static inline bool quick_overlap(uint64_t a, uint64_t b, bool is_shared)
{
    return is_shared || (part_masks[quick_part(a)] & part_masks[quick_part(b)]) != 0;
}

/* Whether race.c is sure to find what `before` says in order with what the current thread does. */
static inline __attribute__((always_inline)) bool quick_in_order(const struct umsim_quick *q, uint64_t before,
                                                                 bool is_shared)
{
    const uint32_t unit = quick_unit(before);
    if (unit == q->unit)
        return (quick_thread(before) == q->number && (!is_shared || !quick_part(before))) ||
               quick_epoch(before) < q->barrier;
    return is_shared || unit == 0 || (unit < q->first_unit && q->is_ordered);
}

/* The first reader stays, as long as it may still race with a writer. */
static inline __attribute__((always_inline)) bool quick_read(const struct umsim_quick *q, uint64_t *shadow,
                                                             uint64_t me, bool is_shared)
{
    const uint64_t writer = shadow[0], reader = shadow[1];
    const uint32_t unit = quick_unit(reader);
    bool stays = false;
    if (!quick_in_order(q, writer, is_shared) && quick_overlap(writer, me, is_shared))
        return false;
    if (unit == q->unit)
        stays = quick_epoch(reader) >= q->barrier && quick_epoch(reader) != EPOCH_MAX &&
                (quick_thread(reader) / UMSIM_WARP_LANES != q->number / UMSIM_WARP_LANES ||
                 quick_warp(reader) == quick_warp(me)) &&
                quick_overlap(reader, me, is_shared);
    else if (is_shared && unit > q->unit)
        return false;
    else if (!is_shared && unit >= q->first_unit)
        stays = quick_overlap(reader, me, false);
    else if (!is_shared && unit != 0 && !q->is_ordered)
        return false;
    if (!stays)
        shadow[1] = me;
    else if (unit != q->unit || quick_thread(reader) != q->number)
        shadow[1] = reader | QUICK_FLAG;
    return true;
}

static inline __attribute__((always_inline)) bool quick_write(const struct umsim_quick *q, uint64_t *shadow,
                                                              uint64_t me, bool is_shared)
{
    const uint64_t writer = shadow[0], reader = shadow[1];
    const bool is_mine = quick_unit(reader) == q->unit && quick_thread(reader) == q->number;
    if (!quick_in_order(q, writer, is_shared) && quick_overlap(writer, me, is_shared))
        return false;
    if (((is_mine && reader & QUICK_FLAG) || !quick_in_order(q, reader, is_shared)) &&
        quick_overlap(reader, me, is_shared))
        return false;
    shadow[0] = me;
    return true;
}

/* ---- what was written ---- */

static inline __attribute__((always_inline)) bool quick_shared_written(struct umsim_quick *q, size_t offset,
                                                                       size_t bytes, bool is_write)
{
    uint32_t *const in = q->written_in + offset, missing = 0;
    for (size_t i = 0; i < bytes && !is_write; i++)
        missing |= in[i] ^ q->block;
    for (size_t i = 0; i < bytes && is_write; i++)
        in[i] = q->block;
    return missing == 0;
}

static inline __attribute__((always_inline)) bool quick_global_written(uintptr_t bits, uintptr_t p,
                                                                       size_t bytes, bool is_write)
{
    const unsigned all = ((1U << bytes) - 1) << p % 8;
    uint16_t now = 0;
    unsigned char *const at = (unsigned char *)(bits + p / 8);
    memcpy(&now, at, bytes > 8 ? 2 : 1);
    if ((now & all) == all)
        return true;
    now |= all;
    if (is_write)
        memcpy(at, &now, bytes > 8 ? 2 : 1);
    return is_write;
}

/* ---- an access ---- */

static inline __attribute__((always_inline)) bool quick_judge(struct umsim_quick *q,
                                                              const struct umsim_quick_place *place,
                                                              uintptr_t p, size_t bytes, bool is_write,
                                                              bool is_shared)
{
    const size_t offset = p - (uintptr_t)q->shared;
    uint64_t *shadow = (uint64_t *)(place->shadow + p / UMSIM_SHADOWED_BYTES * UMSIM_SHADOW_WORDS * 8);
    uint64_t me = q->stamp | place->site;
    if (is_shared && (bytes < UMSIM_SHADOWED_BYTES || p % UMSIM_SHADOWED_BYTES))
        return false;
    if (bytes < UMSIM_SHADOWED_BYTES)
        me |= (uint64_t)umsim_part_of(p, bytes, p / 4 * 4) << QUICK_PART_SHIFT;
    /* the word's writer is of this block */
    const bool is_known =
        is_shared && !is_write && bytes == UMSIM_SHADOWED_BYTES && quick_unit(*shadow) == q->unit;
    if (is_shared ? !is_known && !quick_shared_written(q, offset, bytes, is_write)
                  : place->written && !quick_global_written(place->written, p, bytes, is_write))
        return false;
    for (size_t i = 0; i < (bytes + 3) / 4; i++, shadow += UMSIM_SHADOW_WORDS) {
        if (is_shared && q->split_in[offset / 4 + i] == q->unit)
            return false;
        if (is_write ? !quick_write(q, shadow, me, is_shared) : !quick_read(q, shadow, me, is_shared))
            return false;
    }
    if (!is_write)
        umsim_pretest_note(q->reads, p, (unsigned)(place->site >> (64 - SITE_BITS)));
    return true;
}

static inline bool quick_is_stamped(const struct umsim_quick *q)
{
    return q->thread == umsim_worker_thread(q->worker) && q->order_version == umsim_order_version;
}

/** Does what umsim_access_check() would do, if that is sure to find nothing wrong.
 * @return false: nothing has been decided */
static inline __attribute__((always_inline)) bool umsim_quick_access(uintptr_t p, size_t bytes, bool is_write,
                                                                     const void *pc)
{
    struct umsim_quick *const q = &umsim_quick;
    const struct umsim_quick_place *const place = umsim_quick_place_of(pc);
    if (!q->is_open || (!quick_is_stamped(q) && !umsim_quick_restamp()))
        return false;
    if (place->pc != pc || place->launch != q->launch || place->table_version != *q->table_version ||
        p - place->base > place->bytes - bytes || place->bytes < bytes)
        return p - q->stack.low < q->stack.high - q->stack.low && p % (bytes > 8 ? 8 : bytes) == 0;
    if (place->kind == UMSIM_QUICK_FREE)
        return !is_write;
    if (p % (bytes > 8 ? 8 : bytes))
        return false;
    return place->kind == UMSIM_QUICK_SHARED ? quick_judge(q, place, p, bytes, is_write, true)
                                             : quick_judge(q, place, p, bytes, is_write, false);
}

/** The same of a read of as many bytes as the program likes. */
static inline bool umsim_quick_read_range(uintptr_t p, size_t bytes, const void *pc)
{
    const struct umsim_quick *const q = &umsim_quick;
    const struct umsim_quick_place *const place = umsim_quick_place_of(pc);
    return q->is_open && (quick_is_stamped(q) || umsim_quick_restamp()) && place->pc == pc &&
           place->launch == q->launch && place->kind == UMSIM_QUICK_FREE &&
           place->table_version == *q->table_version && place->bytes >= bytes &&
           p - place->base <= place->bytes - bytes;
}

#endif
