/**
 * @file block_swap.h
 * @brief Swaps out blocks that wait for other blocks.
 *
 * GPU process only.
 *
 * A worker has space for the stacks and the shared memory of one block. When another block is to run, the
 * used part of each stack and the block's shared memory are copied away. They come back to the same addresses
 * when the block goes on, so that pointers into them stay valid. A block whose worker has nothing else to run
 * stays in place. A separate stack for each of the 270,336 threads that an H200 holds would take 17 GiB.
 */
#ifndef UMSIM_BLOCK_SWAP_H
#define UMSIM_BLOCK_SWAP_H

#include "../worker/worker.h"

/** Space for swapped blocks, for all workers together: 270,336 threads (what an H200 holds) at 32 KiB. It is
 * address space only. */
#define UMSIM_SWAP_BYTES ((size_t)8 << 30)

/** A block that has begun, or is about to begin. */
struct umsim_swapped_block {
    struct umsim_swapped_block *next; /* the next of this worker's blocks */
    uint64_t number;                  /* the block's number */
    bool started;
    enum umsim_block_rests rests;
    char *memory; /* its stacks and memory */
    size_t bytes, capacity;
    /* what the worker knows of the block */
    struct umsim_fiber *resume;
    unsigned generation, released, blocked, count[2], alive[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    struct umsim_waits waits;
    size_t shared_bytes;
    bool is_counted_form;
    struct umsim_counting *counting; /* between its parts: what of it was counted; NULL if nothing is */
    struct umsim_place_in_source barrier;
    int common_line;
    bool is_of_grid;
};

/** A launch begins: nothing is swapped out. */
void umsim_swap_begin(struct umsim_worker *worker);
/** The launch has ended: the memory is given back. */
void umsim_swap_end(struct umsim_worker *worker);

/** Makes the entry of block `number`, which has not started. The entry lives until the launch ends. */
struct umsim_swapped_block *umsim_swapped_block_new(struct umsim_worker *worker, uint64_t number);

/** Saves the stacks and shared memory of the block in place, because another block is about to use them. */
void umsim_swap_out(struct umsim_worker *worker);

/** Starts the block or lets it go on, until it has ended or waits for other blocks (`block->rests`). */
void umsim_swapped_block_run(struct umsim_worker *worker, struct umsim_swapped_block *block);

#endif
