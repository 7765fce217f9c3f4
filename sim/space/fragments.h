/*
 * fragments.h: keeping the number of mappings within what the kernel allows.
 *
 * Each stretch of pages with its own protection is a mapping of its own, and a process may have 65,530 of them
 * (vm.max_map_count); beyond that mprotect fails. A program that touches every other page of a large managed
 * allocation would get there. So each process counts, for each 2 MiB block, how often it opened a part of it; when all
 * blocks together come near the limit, the block that was opened first is closed whole, which makes it one mapping
 * again. Its pages open again when they are touched: a soft fault, which counts nothing.
 */
#ifndef UMSIM_FRAGMENTS_H
#define UMSIM_FRAGMENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Blocks that are open in part, in the order of their first opening. A power of 2. */
#define UMSIM_FRAGMENTED_MAX 32768u

struct umsim_fragmented {
    uint32_t space, block;
    uint16_t *openings; /* the block's own account */
};

/** One process's account. In memory that outlives the fork; all zero but for `limit`. */
struct umsim_fragments {
    unsigned limit; /* openings of parts that all blocks together may have had */
    unsigned total;
    unsigned head, tail; /* ring: taken from head, put in at tail */
    struct umsim_fragmented ring[UMSIM_FRAGMENTED_MAX];
};

/** An empty account, with a limit from vm.max_map_count. Not async-signal-safe. */
void umsim_fragments_start(struct umsim_fragments *account);

/**
 * Notes that a part of a block was opened.
 * @param whole the opening made the block one stretch
 * @return whether `*victim` has to be closed whole now (and umsim_fragments_closed() told)
 */
bool umsim_fragments_opened(struct umsim_fragments *account, struct umsim_fragmented opened, bool whole,
                            struct umsim_fragmented *victim);

/** Notes that a block was closed whole, for whatever reason. */
void umsim_fragments_closed(struct umsim_fragments *account, uint16_t *openings);

#endif
