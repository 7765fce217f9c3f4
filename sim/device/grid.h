/**
 * @file grid.h
 * @brief Runs blocks that wait for each other.
 *
 * GPU process only.
 *
 * In a cooperative launch all blocks are under way at once, and meet at the grid's barrier
 * (cooperative_groups::this_grid().sync()). Each worker runs its blocks one after another. It runs a block
 * until all of its threads have come to the barrier, and keeps it (block_swap.h) until it may go on.
 *
 * In any launch, blocks may wait for each other by spinning (yield.c), as blocks that are resident on a GPU
 * at the same time do. A worker keeps the blocks that spin and goes on with others: with new ones, as many as
 * a GPU holds at once, and with older ones again.
 */
#ifndef UMSIM_GRID_H
#define UMSIM_GRID_H

#include "../worker/worker.h"

/** A launch of `blocks` blocks begins. Called before the workers get to it. */
void umsim_grid_begin(void);

/** Runs this worker's share of a cooperative launch of a kernel with fibers. */
void umsim_grid_run(struct umsim_worker *worker);

/** Runs block `number` of a launch that is not cooperative, until it has ended or spins. Then runs older
 * blocks that spin. */
void umsim_resident_run(struct umsim_worker *worker, uint64_t number);

/** Runs this worker's blocks that spin to their end. */
void umsim_resident_finish(struct umsim_worker *worker);

#endif
