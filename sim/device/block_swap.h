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

/** Room for swapped blocks, all workers together: 270,336 threads (what an H200 holds) at 32 KiB. Address
 * space only. */
#define UMSIM_SWAP_BYTES ((size_t)8 << 30)

/** A block that has begun, or is to. */
struct umsim_swapped_block {
    struct umsim_swapped_block *next; /* of this worker's blocks */
    uint64_t number;                  /* of the block */
    bool started;
    enum umsim_block_rests rests;
    char *memory; /* its stacks and memory */
    size_t bytes, capacity;
    /* what the worker knows of it */
    struct umsim_fiber *resume;
    unsigned generation, released, blocked, count[2], alive[UMSIM_BLOCK_THREADS_MAX / UMSIM_WARP_LANES];
    struct umsim_waits waits;
    size_t shared_bytes;
    struct umsim_place_in_source barrier;
};

/** A launch begins: nothing is swapped out. */
void umsim_swap_begin(struct umsim_worker *worker);
/** It has ended: the memory goes back. */
void umsim_swap_end(struct umsim_worker *worker);

/** Room for block `number`, which has not started; for good. */
struct umsim_swapped_block *umsim_swapped_block_new(struct umsim_worker *worker, uint64_t number);

/** The stacks and shared memory are about to be another block's: keeps those of the block that is there. */
void umsim_swap_out(struct umsim_worker *worker);

/** Starts the block or lets it go on, until it has ended or waits for others (`block->rests`). */
void umsim_swapped_block_run(struct umsim_worker *worker, struct umsim_swapped_block *block);

#endif
