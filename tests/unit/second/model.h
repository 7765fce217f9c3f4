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
#define PAGE_BYTES UMSIM_PAGE_BYTES
#define BLOCK_PAGES ((2 << 20) / PAGE_BYTES)
#define BIG_PAGES ((64 << 10) / PAGE_BYTES) /* pages of 64 KiB, by which is filled */
#define PAGES (BLOCKS * BLOCK_PAGES)
#define BATCH 40 /* pages that fault are fetched so many at a time */
#define SIDES 4  /* the host, which is number 0, and up to three GPUs */
#define NONE (-1)

struct page {
    bool live, first, split; /* first: of a range; split: a policy region starts here */
    bool at[SIDES], read[SIDES], write[SIDES], mostly, by[SIDES];
    int preferred;                            /* a side, or NONE */
    bool open_read[SIDES], open_write[SIDES]; /* the page tables of a pretended mechanism */
};

/** All that it knows. The walks make and end ranges, open pages, and set the limits, by writing here. */
extern struct model {
    int sides;   /* how many there are */
    bool linked; /* GPUs map each other's memory */
    struct page pages[PAGES];
    int order[SIDES][BLOCKS]; /* of each GPU: blocks with a chunk, oldest first */
    int chunks_in_use[SIDES], chunk_limit[SIDES];
    struct uvm_delta expected; /* all counts, since the beginning */
} model;

/** Nothing is alive. */
void model_start(int sides, bool linked);

/** Makes a page one that nothing lives in, and keeps what is open. */
void model_end_page(int p);

/** Whether a side can map another one's memory. */
bool model_reaches(int side, int whose);

/** The closest side that has the page, seen from one; NONE: it is nowhere. */
int model_closest_holder(int p, int side);

/** How many sides have the page. */
int model_holders(int p);

void model_cpu_fault(int p, bool is_write);

/** A launch of a GPU on the pages from `start` up to `end`: those in `touch` are touched, those in `write`
 * written. */
void model_kernel(int gpu, int start, int end, const bool *touch, const bool *write);

void model_prefetch(int start, int end, int to);
void model_advise(int start, int end, enum uvm_advice advice, int processor);

/** A GPU's oldest chunk goes: its memory has shrunk. */
void model_evict_one(int gpu);

/** A block's chunks go with their last pages: a range has ended. */
void model_drop_if_empty(int block);

#endif
