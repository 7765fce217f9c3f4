/*
 * grid.h: cooperative launches, whose blocks wait for each other (cooperative_groups::this_grid().sync()). GPU process
 * only.
 *
 * All blocks have to be under way at once, a worker has room for the stacks of one. So each worker runs its blocks in
 * turn, each until all of its threads have come to the grid's barrier, and then parks it: the used part of each stack
 * and what the block has in shared memory are copied away, and come back to the same addresses when it goes on.
 * Pointers into them stay good. A stack of its own for each of the 270,336 threads that an H200 holds would be 17 GiB.
 */
#ifndef UMSIM_GRID_H
#define UMSIM_GRID_H

#include <stddef.h>

struct umsim_worker;

/** Room for parked blocks, all workers together: 270,336 threads (what an H200 holds) at 32 KiB. Address space only. */
#define UMSIM_PARKING ((size_t)8 << 30)

/** Before the workers get to it: a launch of `blocks` blocks begins. */
void umsim_grid_begin(void);

/** Runs this worker's share of a cooperative launch of a kernel with fibers. */
void umsim_grid_run(struct umsim_worker *worker);

#endif
