/**
 * @file mask.h
 * @brief Sets of the 512 pages of one block, as values.
 *
 * Everything here is inline, takes and returns values, and is async-signal-safe. Pages count from 0; a region
 * is [first, outer).
 */
#ifndef UMSIM_UVM_MASK_H
#define UMSIM_UVM_MASK_H

#include "uvm.h"

#define UVM_MASK_WORDS (UVM_PAGES_PER_BLOCK / 64)

/** Pages [first, outer) of a block; empty when they are equal. */
struct uvm_region {
    unsigned first, outer;
};

static inline unsigned uvm_region_pages(struct uvm_region region)
{
    return region.outer - region.first;
}

static inline bool uvm_mask_test(const struct uvm_mask *mask, unsigned page)
{
    return mask->word[page / 64] >> page % 64 & 1;
}

static inline void uvm_mask_set(struct uvm_mask *mask, unsigned page)
{
    mask->word[page / 64] |= UINT64_C(1) << page % 64;
}

static inline void uvm_mask_clear(struct uvm_mask *mask, unsigned page)
{
    mask->word[page / 64] &= ~(UINT64_C(1) << page % 64);
}

static inline struct uvm_mask uvm_mask_none(void)
{
    return (struct uvm_mask){{0}};
}

static inline struct uvm_mask uvm_mask_and(struct uvm_mask a, struct uvm_mask b)
{
    for (int i = 0; i < UVM_MASK_WORDS; i++)
        a.word[i] &= b.word[i];
    return a;
}

static inline struct uvm_mask uvm_mask_or(struct uvm_mask a, struct uvm_mask b)
{
    for (int i = 0; i < UVM_MASK_WORDS; i++)
        a.word[i] |= b.word[i];
    return a;
}

/** a without b */
static inline struct uvm_mask uvm_mask_minus(struct uvm_mask a, struct uvm_mask b)
{
    for (int i = 0; i < UVM_MASK_WORDS; i++)
        a.word[i] &= ~b.word[i];
    return a;
}

/** Takes out of `left` what is in `some`. @return what was in both */
static inline struct uvm_mask uvm_mask_take(struct uvm_mask *left, struct uvm_mask some)
{
    const struct uvm_mask both = uvm_mask_and(*left, some);

    *left = uvm_mask_minus(*left, some);
    return both;
}

static inline bool uvm_mask_is_empty(struct uvm_mask mask)
{
    uint64_t any = 0;
    for (int i = 0; i < UVM_MASK_WORDS; i++)
        any |= mask.word[i];
    return any == 0;
}

static inline unsigned uvm_mask_count(struct uvm_mask mask)
{
    unsigned count = 0;
    for (int i = 0; i < UVM_MASK_WORDS; i++)
        count += (unsigned)__builtin_popcountll(mask.word[i]);
    return count;
}

/** Bits [first, outer) of word `i`'s 64. */
static inline uint64_t uvm_mask_word(unsigned i, struct uvm_region region)
{
    unsigned low = i * 64, high = low + 64;
    if (region.outer <= low || region.first >= high)
        return 0;
    uint64_t bits = ~UINT64_C(0);
    if (region.first > low)
        bits &= ~UINT64_C(0) << (region.first - low);
    if (region.outer < high)
        bits &= ~UINT64_C(0) >> (high - region.outer);
    return bits;
}

static inline struct uvm_mask uvm_mask_of(struct uvm_region region)
{
    struct uvm_mask mask;
    for (unsigned i = 0; i < UVM_MASK_WORDS; i++)
        mask.word[i] = uvm_mask_word(i, region);
    return mask;
}

static inline unsigned uvm_mask_count_in(const struct uvm_mask *mask, struct uvm_region region)
{
    unsigned count = 0;
    for (unsigned i = region.first / 64; i * 64 < region.outer; i++)
        count += (unsigned)__builtin_popcountll(mask->word[i] & uvm_mask_word(i, region));
    return count;
}

/** The first page at or after `page` that is in the mask; UVM_PAGES_PER_BLOCK when there is none. */
static inline unsigned uvm_mask_next(const struct uvm_mask *mask, unsigned page)
{
    for (unsigned i = page / 64; i < UVM_MASK_WORDS; i++) {
        uint64_t bits = mask->word[i];
        if (i == page / 64)
            bits &= ~UINT64_C(0) << page % 64;
        if (bits)
            return i * 64 + (unsigned)__builtin_ctzll(bits);
    }
    return UVM_PAGES_PER_BLOCK;
}

/** The first page at or after `page` that is not in the mask; UVM_PAGES_PER_BLOCK when all are. */
static inline unsigned uvm_mask_next_clear(const struct uvm_mask *mask, unsigned page)
{
    for (unsigned i = page / 64; i < UVM_MASK_WORDS; i++) {
        uint64_t bits = ~mask->word[i];
        if (i == page / 64)
            bits &= ~UINT64_C(0) << page % 64;
        if (bits)
            return i * 64 + (unsigned)__builtin_ctzll(bits);
    }
    return UVM_PAGES_PER_BLOCK;
}

/** The last page at or before `page` that is in the mask; -1 when there is none. */
static inline int uvm_mask_previous(const struct uvm_mask *mask, unsigned page)
{
    for (int i = (int)(page / 64); i >= 0; i--) {
        uint64_t bits = mask->word[i];
        if (i == (int)(page / 64))
            bits &= ~UINT64_C(0) >> (63 - page % 64);
        if (bits)
            return i * 64 + 63 - __builtin_clzll(bits);
    }
    return -1;
}

/** The run of set pages around the set page `page`. */
static inline struct uvm_region uvm_mask_run(const struct uvm_mask *mask, unsigned page)
{
    struct uvm_mask clear;
    for (int i = 0; i < UVM_MASK_WORDS; i++)
        clear.word[i] = ~mask->word[i];
    return (struct uvm_region){(unsigned)(uvm_mask_previous(&clear, page) + 1),
                               uvm_mask_next_clear(mask, page)};
}

/** The first run of set pages at or after `page`; empty at UVM_PAGES_PER_BLOCK when there is none. */
static inline struct uvm_region uvm_mask_next_run(const struct uvm_mask *mask, unsigned page)
{
    struct uvm_region run = {UVM_PAGES_PER_BLOCK, UVM_PAGES_PER_BLOCK};
    run.first = page < UVM_PAGES_PER_BLOCK ? uvm_mask_next(mask, page) : UVM_PAGES_PER_BLOCK;
    if (run.first < UVM_PAGES_PER_BLOCK)
        run.outer = uvm_mask_next_clear(mask, run.first);
    return run;
}

/** for (each set page) */
#define uvm_for_each_page(page, mask)                                                                        \
    for (unsigned page = uvm_mask_next((mask), 0); page < UVM_PAGES_PER_BLOCK;                               \
         page = page + 1 < UVM_PAGES_PER_BLOCK ? uvm_mask_next((mask), page + 1) : UVM_PAGES_PER_BLOCK)

/** for (each run of set pages) */
#define uvm_for_each_run(run, mask)                                                                          \
    for (struct uvm_region run = uvm_mask_next_run((mask), 0); run.first < UVM_PAGES_PER_BLOCK;              \
         run = uvm_mask_next_run((mask), run.outer))

#endif
