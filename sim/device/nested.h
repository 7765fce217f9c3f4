/**
 * @file nested.h
 * @brief Kernels that kernels launch (dynamic parallelism, as CUDA has it since version 12).
 *
 * A launch in device code puts kernel, geometry and parameters into a slot of a pool. The pool is made before
 * the GPU process starts, because nothing there may call malloc. None of these launches runs until the parent
 * grid has ended. Then worker 0 takes the children one after another, and all workers run each of them like a
 * launch of the host's. What a child has launched runs before its next sibling, and a grid's tail launches
 * run after everything else that it launched. The host learns that the launch is complete when nothing of the
 * family is left.
 *
 * So a child sees all that its parent did, and a stream's work is in order. Further streams,
 * cudaStreamFireAndForget among them, change nothing: CUDA promises no parent that its children run beside
 * it.
 *
 * The order does not depend on which worker was faster: a grid's children run in the order of the numbers of
 * the blocks that launched them, and those of one block in the order of their launches.
 *
 * How many launches may wait: on an H200 (driver 580, CUDA 13.0) launches of a grid drain while it runs,
 * 5,000 of 5,000 from one thread. But a line of parents, none of which is complete before its children are,
 * ends with cudaErrorLaunchPendingCountExceeded when cudaLimitDevRuntimePendingLaunchCount of them were
 * launched by kernels. So that is what the limit counts here; the 24 levels of older CUDAs are gone.
 *
 * Time: each child is priced like a launch of the host's that declares nothing, and each is counted or
 * measured (price.h); managed memory counts as on the device where accesses are counted. A tail launch takes
 * longer to begin. The family takes the sum. Managed pages are charged for the family at once, by the shape
 * of its widest grid.
 */
#ifndef UMSIM_NESTED_H
#define UMSIM_NESTED_H

#include "../worker/launches.h"

#include <stdbool.h>
#include <stddef.h>

/** Host process, before the GPU process starts: makes the pool, once. It stays empty in the host; only the
 * GPU process uses it. */
void umsim_nested_start(void);

/** @name Worker 0, between two grids
 * @{ */
/** The host's launch in `command` begins: it has no children yet. */
void umsim_nested_begin(struct umsim_command *command);
/**
 * The grid in `command` has ended, and no worker runs it any more. Prices it, unless it is the host's own.
 * @return whether the family has another grid, which `command` then holds
 */
bool umsim_nested_next(struct umsim_command *command);
/** After the last grid: puts the family's time, number of grids and widest grid into the host's launch in
 * `command`. */
void umsim_nested_end(struct umsim_command *command);
/** @} */

/** Prepares a launch in device code: `<<<grid, block, dynamic_shared, stream>>>`. @return 0, or 1 when it was
 * refused */
int umsim_nested_push(dim3 grid, dim3 block, size_t dynamic_shared, void *stream);
/** Issues the prepared launch, with a kernel and its parameters. */
void umsim_nested_launch(const struct umsim_kernel *kernel, const void *closure, size_t bytes);

#endif
