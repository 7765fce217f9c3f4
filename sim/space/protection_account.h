/**
 * @file protection_account.h
 * @brief Keeps account of what one process has open in the managed spaces, and of the mappings that this
 * takes.
 *
 * The host and the GPU process each keep such an account of their own protections; protection.h says when
 * pages are opened and closed. All callers hold a lock: the host's callers the managed lock (managed.h), the
 * GPU process's callers its own lock.
 *
 * A page that goes back and forth between the processes is opened and closed again and again. For each
 * opening the kernel splits a mapping, for each closing it merges one, and that takes as long as the rest of
 * the hand-over. So what is opened for the second time stays a separate mapping: it gets an advice
 * (MADV_RANDOM) that means nothing for memory without read-ahead, but keeps the kernel from merging the
 * mapping. A hand-over of 64 KiB to the GPU took 17 us without this, and takes 11 us with it.
 */
#ifndef UMSIM_PROTECTION_ACCOUNT_H
#define UMSIM_PROTECTION_ACCOUNT_H

#include "fragments.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct umsim_managed_space;

/** One process's account of a 2 MiB block. All zero means closed, and one mapping with its neighbours. */
struct umsim_block_protection {
    atomic_uchar open;  /* some of the block is open */
    atomic_uchar stale; /* GPU process: to be closed before the next launch; set by the host */
    uint16_t parts;     /* fragments.h */
    uint32_t before;    /* units of 64 KiB that have been opened, one bit for each */
    uint32_t apart;     /* units that stay separate mappings */
};

/** One process's account, in memory that outlives the fork. */
struct umsim_protection {
    unsigned side; /* enum uvm_processor */
    struct umsim_fragments fragments;
};

/** Prepares the account of a side. Not async-signal-safe. */
void umsim_protection_start(struct umsim_protection *opened, unsigned side);

/**
 * Opens [start, start + bytes), whole pages of one block. If the kernel allows no further mapping (the
 * program has many itself), everything else is closed to free some; it opens again when it is touched.
 * @return false when the kernel refuses (errno)
 */
bool umsim_protection_add(struct umsim_protection *opened, struct umsim_managed_space *space, char *start,
                          size_t bytes, int protection);

/** Closes a block. */
void umsim_protection_close(struct umsim_protection *opened, struct umsim_managed_space *space, size_t block);

/** Closes all blocks that are open and, with `only_stale`, marked stale. It makes one system call for each
 * contiguous range. */
void umsim_protection_close_all(struct umsim_protection *opened, struct umsim_managed_space *space,
                                bool only_stale);

/** Closes a space that ends, and forgets its blocks. */
void umsim_protection_forget(struct umsim_protection *opened, struct umsim_managed_space *space);

/** Closes all spaces, whatever was open, and makes each of them one mapping. This includes what a fork
 * inherits. */
void umsim_protection_reset(struct umsim_protection *opened);

#endif
