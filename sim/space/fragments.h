/**
 * @file fragments.h
 * @brief Keeps the number of a process's mappings within the kernel's limit.
 *
 * Each range of pages with its own protection is a separate mapping, and a process may have 65,530 of them
 * (vm.max_map_count); beyond that, mprotect fails. A program that touches every other page of a large managed
 * allocation would get there. So each process counts, for each 2 MiB block, the parts that the block may be
 * in. When the sum over all blocks comes near the limit, the block that was opened first is closed as a
 * whole, which makes it one mapping again. Its pages open again when they are touched, by a soft fault that
 * is not counted.
 */
#ifndef UMSIM_FRAGMENTS_H
#define UMSIM_FRAGMENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The size of the ring of blocks that are in parts, in the order of their first opening. A power of 2. */
#define UMSIM_FRAGMENTED_MAX 32768u

struct umsim_fragmented {
    uint32_t space, block;
    uint16_t *parts; /* the count in the block's account */
};

/** One process's account, in memory that outlives the fork. All zero except `limit`. */
struct umsim_fragments {
    unsigned limit; /* on the parts of all blocks together */
    unsigned total;
    unsigned head, tail; /* of the ring: blocks are taken from the head and put in at the tail */
    struct umsim_fragmented ring[UMSIM_FRAGMENTED_MAX];
};

/** Makes an empty account, with a limit from vm.max_map_count. Not async-signal-safe. */
void umsim_fragments_start(struct umsim_fragments *account);

/** All blocks are one mapping again; the caller has zeroed their accounts. */
void umsim_fragments_forget(struct umsim_fragments *account);

/**
 * Notes that a part of a block was opened.
 * @param whole the parts that the block is in now, if all of it was opened; 0: one more than before
 * @return whether `*victim` now has to be closed, which makes it one mapping; umsim_fragments_closed() must
 * be called then
 */
bool umsim_fragments_opened(struct umsim_fragments *account, struct umsim_fragmented opened, unsigned whole,
                            struct umsim_fragmented *victim);

/** Takes a space's blocks out of the ring; all of them are closed. */
void umsim_fragments_drop(struct umsim_fragments *account, uint32_t space);

/** Notes that a whole block was closed, for any reason, and has `left` parts that remain separate. */
void umsim_fragments_closed(struct umsim_fragments *account, uint16_t *parts, unsigned left);

#endif
