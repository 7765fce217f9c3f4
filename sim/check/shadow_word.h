/**
 * @file shadow_word.h
 * @brief The bits of a shadow word (race.h): who touched 4 bytes, when, and which of them.
 *
 * GPU process only.
 */
#ifndef UMSIM_CHECK_SHADOW_WORD_H
#define UMSIM_CHECK_SHADOW_WORD_H

#include "race.h"

#include <stddef.h>
#include <stdint.h>

/* A shadow word says who, when, and which bytes of the 4-byte word. Unit 0 is an empty shadow word. */
#define UNIT_BITS 24   /* the thread block, counted through launches */
#define THREAD_BITS 10 /* in it */
#define EPOCH_BITS 12  /* barriers passed by the thread; the largest number stands for all from there on */
#define WARP_BITS 4    /* barriers of its warp since then, likewise */
#define PART_BITS 3    /* of the word */
#define SITE_BITS 10   /* the place in the program; the last number stands for all that did not fit */

/* The writer, which is atomic, was not the only one since the last barrier: another warp was, too. */
#define ATOMICS_OF_WARPS 1

/* In __shared__ memory: a volatile writer, or a reader that polls. */
#define OF_FLAGS 2

#define UNIT_MAX ((1U << UNIT_BITS) - 1)
#define EPOCH_MAX ((1U << EPOCH_BITS) - 1)
#define WARP_MAX ((1U << WARP_BITS) - 1)
#define SITES (1U << SITE_BITS)

struct __attribute__((may_alias)) shadow_word {
    uint64_t site : SITE_BITS;
    uint64_t flag : 1;         /* a writer: atomic; a reader: it was not the only one */
    uint64_t part : PART_BITS; /* of __shared__ memory: ATOMICS_OF_WARPS, OF_FLAGS or 0 */
    uint64_t warp : WARP_BITS;
    uint64_t epoch : EPOCH_BITS;
    uint64_t thread : THREAD_BITS;
    uint64_t unit : UNIT_BITS; /* highest: so the word as a number says which block came first */
};
_Static_assert(sizeof(struct shadow_word) == sizeof(uint64_t), "a shadow word has 64 bits");

/* Which bytes: all, two halves, four single ones. */
static const unsigned char part_masks[] = {0xf, 0x3, 0xc, 0x1, 0x2, 0x4, 0x8};

/** Which bytes of the 4-byte word at `word` an access has: a number for part_masks. */
static inline unsigned umsim_part_of(uintptr_t address, size_t bytes, uintptr_t word)
{
    if (address <= word && address + bytes >= word + UMSIM_SHADOWED_BYTES)
        return 0;
    const unsigned first = address > word ? (unsigned)(address - word) : 0;
    const uintptr_t end = address + bytes - word;
    if (end - first == 1)
        return 3 + first;
    if (end - first == 2 && first % 2 == 0)
        return 1 + first / 2;
    return 0;
}

#endif
