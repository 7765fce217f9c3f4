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
 * Of `__shared__` memory most reads repeat what was read since the last barrier: such a word is quiet, and a
 * read of it is done by one comparison.
 *
 * The short way reports nothing, and takes nothing as ordered that the long way would compare: each of its
 * conditions is one under which race.c finds two accesses in order (or one thread's), and stores the same
 * shadow words. It is not taken for atomic and volatile accesses, for ranges of bytes but the thread's own
 * and the library's, nor while something waits for the next access (umsim_quick_close()).
 * `UMSIM_CHECK=all,each` has each access go the long way: tests/check/quick.py compares the two, of random
 * kernels, and tests/planted of all planted errors.
 *
 * GPU process only; one worker runs all.
 */
#ifndef UMSIM_CHECK_QUICK_H
#define UMSIM_CHECK_QUICK_H

#include "access.h"
#include "deferred.h"
#include "order.h"
#include "pretest.h"
#include "shadow_word.h"
#include "table.h"
#include "../worker/worker.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UMSIM_QUICK_PLACES 8192 /* by the last bits of their addresses */

/* Shadow words as whole numbers: shadow_word.h has their order, quick.c asserts it. */
#define QUICK_FLAG_SHIFT SITE_BITS
#define QUICK_FLAG (UINT64_C(1) << QUICK_FLAG_SHIFT)
#define QUICK_PART_SHIFT (QUICK_FLAG_SHIFT + 1)
#define QUICK_PARTS (((UINT64_C(1) << PART_BITS) - 1) << QUICK_PART_SHIFT)
#define QUICK_WARP_SHIFT (QUICK_PART_SHIFT + PART_BITS)
#define QUICK_EPOCH_SHIFT (QUICK_WARP_SHIFT + WARP_BITS)
#define QUICK_THREAD_SHIFT (QUICK_EPOCH_SHIFT + EPOCH_BITS)
#define QUICK_THREADS (((UINT64_C(1) << THREAD_BITS) - 1) << QUICK_THREAD_SHIFT)
#define QUICK_UNIT_SHIFT (QUICK_THREAD_SHIFT + THREAD_BITS)

/** What is to be looked at in a range. */
enum umsim_quick_kind {
    UMSIM_QUICK_NONE,
    UMSIM_QUICK_GLOBAL,   /**< with shadow words */
    UMSIM_QUICK_SHARED,   /**< the same, of `__shared__` memory */
    UMSIM_QUICK_CONSTANT, /**< nothing of reads */
    UMSIM_QUICK_FREE,     /**< nothing: the library's */
};

/** A range of memory: where its shadow words, and the bits of what was written, would be of address 0. */
struct umsim_quick_range {
    uintptr_t base;
    size_t bytes;
    uintptr_t shadow, written; /* written: GLOBAL (init.h); 0: not followed */
    uintptr_t chunks;          /* deferred.h; 0: there are none */
    enum umsim_quick_kind kind;
};

/** A place in the program, and the range of its last access. */
struct umsim_quick_place {
    uint64_t key; /* the place, and when this was true of it: umsim_quick.now */
    uintptr_t base;
    size_t limit; /* the last offset in the range at which such an access lies in it */
    uintptr_t shadow, written, chunks;
    uint64_t site; /* as shadow words have it */
    uint32_t bytes;
    enum umsim_quick_kind kind;
} __attribute__((aligned(64)));

#define UMSIM_QUICK_NOBODY ((const void *)&umsim_quick) /* the address of no thread, and not NULL */

/** The current thread, its stamp, and its block. */
extern struct umsim_quick {
    const void *stamped;                      /* the thread whose stamp this is, or nobody */
    const struct umsim_fiber *const *running; /* where it stands which thread runs */
    const atomic_uint *table_version;
    unsigned version; /* of the table: what is known of places is of that one */
    bool is_open;
    bool is_ordered, is_uniform; /* race.h: umsim_race_standing */
    uint64_t now;                /* the launch and the table's version, as one number above addresses */
    uint64_t stamp;
    uint64_t ordered_below; /* smaller shadow words are of what comes before */
    uint64_t first_word;    /* from this on they are of this launch */
    uint64_t stays_below;   /* such a first reader stays, whichever thread of the block reads next */
    uint32_t unit, first_unit;
    unsigned number, barrier; /* the thread's; the clock at its last barrier */
    struct umsim_pretest_reads *reads;
    uint32_t block;                  /* written_in[] and written_words[] of what the block has written */
    const char *shared;              /* the start of its __shared__ memory */
    uint32_t *written_in, *split_in; /* for each byte; for each 4 (race_memory.h) */
    uint32_t *written_words;         /* for each 4, where these were written as a whole */
    size_t quiet_bytes;              /* of __shared__ memory, of which umsim_quick_quiet holds; 0: of none */
    uint32_t interval;               /* the number that stands there */
    unsigned order_version;
    const struct umsim_worker *worker;
    struct umsim_access_own_stack stacks, stack; /* of all threads; of `of_stack` */
    const struct umsim_fiber *of_stack;
    struct umsim_quick_place place[UMSIM_QUICK_PLACES];
} umsim_quick;

/** Of each 4 bytes of `__shared__` memory: the interval (umsim_quick) in which a plain read of them, by any
 * thread of the block, has no effect: they were written, their writer comes before all threads, and more than
 * one thread has read them since. */
#define UMSIM_QUICK_QUIET (UMSIM_SHARED_BYTES / UMSIM_SHADOWED_BYTES + 4) /* the widest read is of 4 */
extern uint32_t umsim_quick_quiet[UMSIM_QUICK_QUIET];

/** The next access goes the long way. */
static inline void umsim_quick_close(void)
{
    umsim_quick.is_open = false;
    umsim_quick.stamped = UMSIM_QUICK_NOBODY;
}

/** Another thread runs, or the clock has gone on: its stamp is made anew, if the short way is open.
 * @return false: only the long way compares its accesses */
bool umsim_quick_restamp(void);

/** The short way is closed only because a block has begun: opens it for the current thread. @return whether
 * it is */
bool umsim_quick_reopen(void);

/** Another thread runs: the same as of its first access, where that takes no more than its number. */
static inline bool umsim_quick_next(const struct umsim_fiber *thread)
{
    struct umsim_quick *const q = &umsim_quick;
    if (!q->is_uniform || q->order_version != umsim_order_version || !q->is_open)
        return false;
    q->number = (unsigned)(thread - q->worker->fibers);
    q->reads = umsim_pretest_reads_of(q->number, q->unit);
    q->stamp = (q->stamp & ~QUICK_THREADS) | (uint64_t)q->number << QUICK_THREAD_SHIFT;
    q->stamped = thread;
    return true;
}

/** Whether an access is to the current thread's own stack, where nothing is compared, and the short way is
 * open. */
bool umsim_quick_is_own_stack(uintptr_t p, size_t bytes);
static inline bool umsim_quick_is_own(uintptr_t p, size_t bytes)
{
    return p - umsim_quick.stacks.low < umsim_quick.stacks.high - umsim_quick.stacks.low &&
           umsim_quick_is_own_stack(p, bytes);
}

/** A launch begins: what is known of ranges holds no longer. A block begins, or goes on: `number` stands in
 * `written_in` for each byte of `__shared__` memory that it has written, or in `written_words` for each word.
 */
void umsim_quick_launch(void);
void umsim_quick_block(uint32_t number, uint32_t *written_in, uint32_t *written_words);

/** Ranges for umsim_quick_learn(). @param shadow the shadow words at `base`; NULL: there are none */
struct umsim_quick_range umsim_quick_global(uintptr_t base, size_t bytes, const uint64_t *shadow,
                                            bool tracks_init);
struct umsim_quick_range umsim_quick_shared(uintptr_t base, size_t bytes);

/** An access to `bytes` bytes has gone the long way, in this range. Opens the short way for its thread, and
 * for its place, unless the range is UMSIM_QUICK_NONE. */
void umsim_quick_learn(const void *pc, size_t bytes, const struct umsim_quick_range *range);

static inline struct umsim_quick_place *umsim_quick_place_of(const void *pc)
{
    return &umsim_quick.place[(uintptr_t)pc % UMSIM_QUICK_PLACES];
}

/* ---- shadow words as whole numbers ---- */

static inline uint32_t quick_unit(uint64_t word)
{
    return (uint32_t)(word >> QUICK_UNIT_SHIFT);
}

static inline unsigned quick_thread(uint64_t word)
{
    return word >> QUICK_THREAD_SHIFT & ((1U << THREAD_BITS) - 1);
}

static inline unsigned quick_epoch(uint64_t word)
{
    return word >> QUICK_EPOCH_SHIFT & EPOCH_MAX;
}

static inline unsigned quick_warp(uint64_t word)
{
    return word >> QUICK_WARP_SHIFT & WARP_MAX;
}

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

/* Whether a read leaves no doubt. It stays so when the thread, or others of its block, have read before it.
 */
static inline __attribute__((always_inline)) bool
quick_may_read(const struct umsim_quick *q, const uint64_t *shadow, uint64_t me, bool is_shared)
{
    const uint64_t writer = shadow[0];
    const uint32_t unit = quick_unit(shadow[1]);
    if (!quick_in_order(q, writer, is_shared) && quick_overlap(writer, me, is_shared))
        return false;
    if (unit == q->unit)
        return true;
    return is_shared ? unit < q->unit : unit >= q->first_unit || unit == 0 || q->is_ordered;
}

/* The first reader stays, as long as it may still race with a writer. */
static inline __attribute__((always_inline)) bool quick_read(const struct umsim_quick *q, uint64_t *shadow,
                                                             uint64_t me, bool is_shared)
{
    const uint64_t reader = shadow[1];
    const uint32_t unit = quick_unit(reader);
    bool stays = false;
    if (!quick_may_read(q, shadow, me, is_shared))
        return false;
    if (unit == q->unit)
        stays = quick_epoch(reader) >= q->barrier && quick_epoch(reader) != EPOCH_MAX &&
                (quick_thread(reader) / UMSIM_WARP_LANES != q->number / UMSIM_WARP_LANES ||
                 quick_warp(reader) == quick_warp(me)) &&
                quick_overlap(reader, me, is_shared);
    else if (!is_shared && unit >= q->first_unit)
        stays = quick_overlap(reader, me, false);
    if (!stays)
        shadow[1] = me;
    else if (unit != q->unit || quick_thread(reader) != q->number)
        shadow[1] = reader | QUICK_FLAG;
    return true;
}

/* Whether a write leaves no doubt. It stays so when its own thread has read or written before it. */
static inline __attribute__((always_inline)) bool
quick_may_write(const struct umsim_quick *q, const uint64_t *shadow, uint64_t me, bool is_shared)
{
    const uint64_t writer = shadow[0], reader = shadow[1];
    /* since the last barrier: earlier readers, be they others, come before */
    const bool is_mine = quick_unit(reader) == q->unit && quick_thread(reader) == q->number &&
                         quick_epoch(reader) >= q->barrier;
    if (!quick_in_order(q, writer, is_shared) && quick_overlap(writer, me, is_shared))
        return false;
    return !(((is_mine && reader & QUICK_FLAG) || !quick_in_order(q, reader, is_shared)) &&
             quick_overlap(reader, me, is_shared));
}

static inline __attribute__((always_inline)) bool quick_write(const struct umsim_quick *q, uint64_t *shadow,
                                                              uint64_t me, bool is_shared)
{
    if (!quick_may_write(q, shadow, me, is_shared))
        return false;
    shadow[0] = me;
    return true;
}

/* What to keep in umsim_quick_quiet after a read: of the words all threads' reads leave as they are. */
static inline __attribute__((always_inline)) uint32_t quick_quiet(const struct umsim_quick *q,
                                                                  const uint64_t *shadow)
{
    const uint64_t writer = shadow[0], reader = shadow[1];
    const bool comes_before = quick_unit(writer) != q->unit || quick_epoch(writer) < q->barrier;
    const bool stays = quick_unit(reader) == q->unit && reader & QUICK_FLAG && quick_warp(reader) == 0 &&
                       quick_epoch(reader) >= q->barrier && quick_epoch(reader) != EPOCH_MAX;
    return q->is_uniform && comes_before && stays ? q->interval : 0;
}

/* ---- what was written ---- */

/* The word at an offset, a multiple of 4, of `__shared__` memory. */
static inline __attribute__((always_inline)) bool quick_word_is_written(const struct umsim_quick *q,
                                                                        size_t offset)
{
    const uint32_t *const in = q->written_in + offset, block = q->block;
    return q->written_words[offset / UMSIM_SHADOWED_BYTES] == block ||
           ((in[0] ^ block) | (in[1] ^ block) | (in[2] ^ block) | (in[3] ^ block)) == 0;
}

/* Of whole words. */
static inline __attribute__((always_inline)) bool quick_shared_written(struct umsim_quick *q, size_t offset,
                                                                       size_t bytes, bool is_write)
{
    bool all = true;
    for (size_t i = 0; i < bytes; i += UMSIM_SHADOWED_BYTES)
        if (is_write)
            q->written_words[(offset + i) / UMSIM_SHADOWED_BYTES] = q->block;
        else
            all &= quick_word_is_written(q, offset + i);
    return all;
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

/* Whether shadow words hold what there is to know (deferred.h). Accesses are aligned. */
static inline __attribute__((always_inline)) bool quick_has_words(const struct umsim_quick_place *place,
                                                                  uintptr_t p, size_t bytes, bool is_write)
{
    return !place->chunks ||
           umsim_deferred_may_use(place->chunks, p, bytes, is_write, place->kind == UMSIM_QUICK_SHARED);
}

/* Whether nothing is to be done for a plain read of __shared__ memory. */
static inline __attribute__((always_inline)) bool quick_is_quiet(const struct umsim_quick *q, uintptr_t p,
                                                                 size_t bytes)
{
    const size_t offset = p - (uintptr_t)q->shared;
    const uint32_t *const quiet = &umsim_quick_quiet[offset / UMSIM_SHADOWED_BYTES];
    uint32_t differs = 0;
    if (bytes < UMSIM_SHADOWED_BYTES || offset >= q->quiet_bytes || p % (bytes > 8 ? 8 : bytes))
        return false;
    for (size_t i = 0; i < bytes / UMSIM_SHADOWED_BYTES; i++)
        differs |= quiet[i] ^ q->interval;
    return differs == 0;
}

static inline __attribute__((always_inline)) bool quick_shared(struct umsim_quick *q,
                                                               const struct umsim_quick_place *place,
                                                               uintptr_t p, size_t bytes, bool is_write)
{
    const size_t offset = p - (uintptr_t)q->shared, word = offset / UMSIM_SHADOWED_BYTES;
    uint64_t *const shadow =
        (uint64_t *)(place->shadow + p * (UMSIM_SHADOW_WORDS * 8 / UMSIM_SHADOWED_BYTES));
    const uint64_t me = q->stamp | place->site;
    if (bytes < UMSIM_SHADOWED_BYTES || !quick_has_words(place, p, bytes, is_write))
        return false;
    /* the word's writer is of this block */
    const bool is_known = !is_write && bytes == UMSIM_SHADOWED_BYTES && quick_unit(*shadow) == q->unit;
    if (!is_known && !quick_shared_written(q, offset, bytes, is_write))
        return false;
    for (size_t i = 0; i < bytes / UMSIM_SHADOWED_BYTES; i++) {
        uint64_t *const words = shadow + i * UMSIM_SHADOW_WORDS;
        if (q->split_in[word + i] == q->unit)
            return false;
        if (is_write ? !quick_write(q, words, me, true) : !quick_read(q, words, me, true))
            return false;
        umsim_quick_quiet[word + i] = is_write ? 0 : quick_quiet(q, words);
    }
    return true;
}

static inline __attribute__((always_inline)) bool quick_global(struct umsim_quick *q,
                                                               const struct umsim_quick_place *place,
                                                               uintptr_t p, size_t bytes, bool is_write)
{
    const bool is_part = bytes < UMSIM_SHADOWED_BYTES;
    const uintptr_t word = is_part ? p / UMSIM_SHADOWED_BYTES * UMSIM_SHADOWED_BYTES : p;
    uint64_t *shadow = (uint64_t *)(place->shadow + word * (UMSIM_SHADOW_WORDS * 8 / UMSIM_SHADOWED_BYTES));
    const uint64_t part = is_part ? (uint64_t)umsim_part_of(p, bytes, word) << QUICK_PART_SHIFT : 0,
                   me = q->stamp | place->site | part;
    if (!quick_has_words(place, p, bytes, is_write) ||
        (place->written && !quick_global_written(place->written, p, bytes, is_write)))
        return false;
    for (size_t i = 0; i < (bytes + 3) / 4; i++, shadow += UMSIM_SHADOW_WORDS) {
        if (__builtin_expect(shadow[0] < q->ordered_below && shadow[1] < q->ordered_below, 1))
            shadow[is_write ? 0 : 1] = me;
        else if (is_write ? !quick_write(q, shadow, me, false) : !quick_read(q, shadow, me, false))
            return false;
    }
    return true;
}

static inline bool umsim_quick_is_stamped(void)
{
    return umsim_quick.stamped == *umsim_quick.running;
}

static inline bool quick_knows(const struct umsim_quick *q, const struct umsim_quick_place *place,
                               const void *pc)
{
    return place->key == ((uint64_t)(uintptr_t)pc | q->now) &&
           atomic_load_explicit(q->table_version, memory_order_relaxed) == q->version;
}

/* Whether nobody but the thread of `me` has read, since its last barrier of any kind. */
static inline bool quick_is_only_reader(uint64_t reader, uint64_t me)
{
    return (reader ^ me) >> QUICK_WARP_SHIFT == 0 && !(reader & QUICK_FLAG);
}

/* Whether an access whose place and thread are known is done by storing the stamp, or by nothing. */
static inline __attribute__((always_inline)) bool quick_done_at_once(const struct umsim_quick *q,
                                                                     const struct umsim_quick_place *place,
                                                                     uintptr_t p, size_t bytes, bool is_write)
{
    uint64_t *const shadow =
        (uint64_t *)(place->shadow + p * (UMSIM_SHADOW_WORDS * 8 / UMSIM_SHADOWED_BYTES));
    const uint64_t me = q->stamp | place->site, writer = shadow[0], reader = shadow[1];
    const unsigned all = ((1U << bytes) - 1) << p % 8;
    if (place->written && (*(unsigned char *)(place->written + p / 8) & all) != all)
        return false;
    if (!quick_has_words(place, p, bytes, is_write))
        return false;
    if (writer >= q->ordered_below)
        return false;
    if (reader < q->ordered_below || (is_write && quick_is_only_reader(reader, me))) {
        shadow[is_write ? 0 : 1] = me;
        return true;
    }
    if (is_write || reader < q->first_word || reader >= q->stays_below || reader & QUICK_PARTS)
        return false;
    if (!(reader & QUICK_FLAG) && (reader ^ me) >> QUICK_THREAD_SHIFT)
        shadow[1] = reader | QUICK_FLAG;
    return true;
}

/** What umsim_quick_access() does of 4 bytes, if it takes no more than some comparisons.
 * @return false: nothing has been decided */
static inline __attribute__((always_inline)) bool umsim_quick_at_once(uintptr_t p, bool is_write,
                                                                      const void *pc)
{
    const struct umsim_quick *const q = &umsim_quick;
    if (!umsim_quick_is_stamped())
        return false;
    if (is_write || !quick_is_quiet(q, p, 4)) {
        const struct umsim_quick_place *const place = umsim_quick_place_of(pc);
        if (!quick_knows(q, place, pc) || p - place->base > place->limit ||
            place->kind != UMSIM_QUICK_GLOBAL || p % 4 || !quick_done_at_once(q, place, p, 4, is_write))
            return false;
    }
    if (!is_write)
        umsim_pretest_note(q->reads, p, pc);
    return true;
}

/** Does what umsim_access_check() would do, if that is sure to find nothing wrong.
 * @return false: nothing has been decided */
static inline __attribute__((always_inline)) bool umsim_quick_access(uintptr_t p, size_t bytes, bool is_write,
                                                                     const void *pc)
{
    struct umsim_quick *const q = &umsim_quick;
    if (__builtin_expect(!umsim_quick_is_stamped(), 0))
        return false;
    if (is_write || !quick_is_quiet(q, p, bytes)) {
        const struct umsim_quick_place *const place = umsim_quick_place_of(pc);
        if (__builtin_expect(!quick_knows(q, place, pc) || p - place->base > place->limit, 0))
            return false;
        if (place->kind >= UMSIM_QUICK_CONSTANT)
            return place->kind == UMSIM_QUICK_FREE || !is_write;
        if (p % (bytes > 8 ? 8 : bytes) ||
            !(place->kind == UMSIM_QUICK_SHARED ? quick_shared(q, place, p, bytes, is_write)
                                                : quick_global(q, place, p, bytes, is_write)))
            return false;
    }
    if (!is_write)
        umsim_pretest_note(q->reads, p, pc);
    return true;
}

/** The same of as many bytes as the program likes. */
static inline bool umsim_quick_range_access(uintptr_t p, size_t bytes, bool is_write, const void *pc)
{
    const struct umsim_quick *const q = &umsim_quick;
    const struct umsim_quick_place *const place = umsim_quick_place_of(pc);
    if (umsim_quick_is_own(p, bytes))
        return true;
    return q->is_open && quick_knows(q, place, pc) && place->bytes == bytes &&
           p - place->base <= place->limit &&
           (place->kind == UMSIM_QUICK_FREE || (place->kind == UMSIM_QUICK_CONSTANT && !is_write));
}

#endif
