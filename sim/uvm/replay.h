/**
 * @file replay.h
 * @brief What charges a retired launch: which pages fault (faulting.c), and what batches the driver makes of
 * them (replay.c).
 */
#ifndef UMSIM_UVM_REPLAY_H
#define UMSIM_UVM_REPLAY_H

#include "warps.h"

/** One allocation, or the range of an access, being walked. Pages are counted from the space's base. */
struct uvm_range {
    uint64_t next, end;
};

/** A launch, or an access, that is being charged for what it touched. */
struct uvm_replay {
    struct uvm_space *space;
    enum uvm_processor gpu;
    struct uvm_delta *delta;
    bool marked;        /**< only marked pages are touched; else all pages of the one stream are */
    bool is_write;      /**< how the pages of that stream are touched */
    uint64_t unscanned; /**< pages from here on may have marks that belong to no range yet */
    struct uvm_range stream[UVM_STREAMS];
    unsigned streams;
    uint64_t batch[UVM_FAULT_BATCH_COUNT];
    unsigned faults;
    unsigned groups; /**< fault groups for which the batch counts */
};

/** @return the pages of a block that are written: by the marks, or all of the range. */
struct uvm_mask uvm_replay_written(const struct uvm_replay *replay, const struct uvm_block *block);

/** @return whether a block has marks. */
bool uvm_replay_is_touched(const struct uvm_space *space, uint64_t block);

/** To be called before a walk: records that no page faults where nothing is marked. */
void uvm_replay_forget_fault_free(const struct uvm_replay *replay);

/** The first page at or after `page` that faults; UINT64_MAX if there is none before `end`. It is called for
 * each warp again and again. So a block in which a search found nothing is skipped from then on, until the
 * GPU loses a grant there. */
uint64_t uvm_replay_next_page(const void *context, uint64_t page, uint64_t end);

/** @return whether a page faults, as things are now. */
bool uvm_replay_faults(const struct uvm_replay *replay, uint64_t page);

/** Returns the stream's next page that faults, and steps past it; UINT64_MAX at the stream's end. */
uint64_t uvm_replay_next_fault(const struct uvm_replay *replay, struct uvm_range *stream);

/** Finds the next allocation with marks. */
bool uvm_replay_find_range(struct uvm_replay *replay, struct uvm_range *stream);

#endif
