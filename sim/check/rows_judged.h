/**
 * @file rows_judged.h
 * @brief The accesses of a loop while rows.h judges them: rows_sure.c and rows_store.c share it with rows.c.
 *
 * GPU process only.
 */
#ifndef UMSIM_CHECK_ROWS_JUDGED_H
#define UMSIM_CHECK_ROWS_JUDGED_H

#include "quick.h"
#include "rows.h"

#define SHADOW_STEP (UMSIM_SHADOW_WORDS * sizeof(uint64_t) / UMSIM_SHADOWED_BYTES) /* for each byte */
#define INLINE static inline __attribute__((always_inline))

/** A row, and what is known of its place. */
struct judged {
    const struct umsim_quick_place *place;
    const void *pc;
    uintptr_t first, low, high; /**< low..high: of its first byte to behind its last one */
    uint64_t step, inner, inner_step;
    unsigned loop;
    size_t bytes;
    bool is_write, is_shared;
    bool is_noted;  /**< pretest.h */
    bool is_free;   /**< nothing is to be stored */
    bool is_plain;  /**< quick_done_at_once() would do each of its accesses */
    bool is_fresh;  /**< and its shadow words are all of what comes before */
    bool is_spread; /**< each pass has bytes of its own */
    bool is_dense;  /**< all of low..high is touched */
    bool is_near;   /**< some passes' shadow words are in one page: else a hook in each pass costs less */
    bool is_repeat; /**< of another read: its effects are there */
};

struct rows {
    struct judged row[UMSIM_ROWS_MAX];
    unsigned count;
    uint64_t passes;
    struct umsim_fiber *thread; /**< the first pass's, if each is another one's; else NULL */
    bool by_passes;             /**< what they store depends on which comes first */
};

/** A pass's thread is the one that quick.h compares. */
INLINE void pass_begins(const struct rows *r, uint64_t pass)
{
    struct umsim_quick *const q = &umsim_quick;
    if (!r->thread)
        return;
    q->number = (unsigned)(r->thread - q->worker->fibers) + (unsigned)pass;
    q->stamp = (q->stamp & ~QUICK_THREADS) | (uint64_t)q->number << QUICK_THREAD_SHIFT;
}

/** What a pass adds to the stamp. */
INLINE uint64_t next_stamp(const struct rows *r)
{
    return r->thread ? UINT64_C(1) << QUICK_THREAD_SHIFT : 0;
}

INLINE uint64_t *shadow_of(const struct judged *it, uintptr_t p)
{
    return (uint64_t *)(it->place->shadow + p * SHADOW_STEP);
}

/** How many passes of a loop are at places of their own. */
INLINE uint64_t different(uint64_t passes, uint64_t step)
{
    return step ? passes : 1;
}

/** A row as ranges side by side: `count` times `again` of them, of `bytes` each. */
struct ranges {
    uintptr_t first;
    uint64_t count, step, again, again_step, bytes;
};

INLINE struct ranges ranges_of(const struct rows *r, const struct judged *it)
{
    const uint64_t passes = different(r->passes, it->step), inner = different(it->inner, it->inner_step);
    if (it->is_dense)
        return (struct ranges){it->low, 1, 0, 1, 0, it->high - it->low};
    if (it->step == it->bytes)
        return (struct ranges){it->first, inner, it->inner_step, 1, 0, passes * it->bytes};
    if (it->inner_step == it->bytes)
        return (struct ranges){it->first, passes, it->step, 1, 0, inner * it->bytes};
    return (struct ranges){it->first, passes, it->step, inner, it->inner_step, it->bytes};
}

/** Does `use` for each range [low, high) of a row. */
#define FOR_RANGES(r, it, use)                                                                               \
    do {                                                                                                     \
        const struct ranges all_ = ranges_of(r, it);                                                         \
        for (uint64_t i_ = 0; i_ < all_.count; i_++)                                                         \
            for (uint64_t j_ = 0; j_ < all_.again; j_++) {                                                   \
                const uintptr_t low = all_.first + i_ * all_.step + j_ * all_.again_step,                    \
                                high = low + all_.bytes;                                                     \
                use;                                                                                         \
            }                                                                                                \
    } while (0)

/** Whether no two rows of the loop are in each other's way. */
bool umsim_rows_go_together(struct rows *r);

/** Whether each access of all rows is sure by shadow words; what is seen there is noted in them. */
bool umsim_rows_are_sure(struct rows *r);

/** Stores in shadow words what the passes would have stored. */
void umsim_rows_store(const struct rows *r);

/** The passes have been made: the last one's thread is the current one. */
void umsim_rows_end(const struct rows *r);

/** Whether all that a row reads was written (init.h); a row's bytes are written. */
bool umsim_rows_global_is_written(const struct rows *r, const struct judged *it);
void umsim_rows_set_written(const struct rows *r, const struct judged *it);

#endif
