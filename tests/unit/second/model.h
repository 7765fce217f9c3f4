/**
 * @file model.h
 * @brief A second implementation of the paging policy, to compare the first one with.
 *
 * It is written to be read, not to be fast: arrays of pages and loops over them, straight from the rules
 * (sim/uvm/README.md). Pages are counted from the space's base.
 */
#ifndef SECOND_MODEL_H
#define SECOND_MODEL_H

#include "uvm/uvm.h"

#define BLOCKS 6
#define PAGES (BLOCKS * 512)
#define BATCH 40 /* pages that fault are fetched so many at a time */

struct page {
    bool live, first, split; /* first: of a range; split: a policy region starts here */
    bool at[2], read[2], write[2], mostly, preferred[2], by[2];
    bool open_read[2], open_write[2]; /* the page tables of a pretended mechanism */
};

/** All that it knows. The walks make and end ranges, open pages, and set the limit, by writing here. */
extern struct model {
    struct page pages[PAGES];
    int order[BLOCKS]; /* blocks with a chunk, oldest first */
    int chunks_in_use, chunk_limit;
    struct uvm_delta expected; /* all counts, since the beginning */
} model;

void model_cpu_fault(int p, bool is_write);

/** A launch on the pages from `start` up to `end`: those in `touch` are touched, those in `write` written. */
void model_kernel(int start, int end, const bool *touch, const bool *write);

void model_prefetch(int start, int end, int to);
void model_advise(int start, int end, enum uvm_advice advice, int processor);

/** The oldest chunk goes: the device's memory has shrunk. */
void model_evict_one(void);

/** A block's chunk goes with its last page: a range has ended. */
void model_drop_if_empty(int block);

#endif
