/**
 * @file bounds.h
 * @brief What a graded kernel may touch.
 *
 * GPU process only.
 *
 * A kernel goes where its arguments point, and in the GPU process that could be the state, the salt, or a
 * stack. Page protections do not help: kernel and broker are one process. So the kernels that a grader trusts
 * are compiled with a call before each access to memory (mk/grade.mk), and it is looked at here, with the
 * address that the access then uses: an index that leads out of an array, or a pointer found in one, counts
 * like an argument. What is neither memory that CUDA gave out nor the block's own __shared__ memory fails as
 * it would on hardware: cudaErrorIllegalAddress.
 *
 * Local variables are not looked at, where the compiler sees that an access stays within them; nor is the
 * second of two accesses to one address, a write after a read, say. So nothing may rely on what a kernel may
 * only read.
 */
#ifndef UMSIM_BOUNDS_H
#define UMSIM_BOUNDS_H

#include "../worker/launches.h"

/** A graded program's launch, copied out of the memory that its host process can write to: what no library
 * would post ends the GPU process. Afterwards nothing in it is the host's any more, its parameters included.
 */
void umsim_bounds_take(struct umsim_command *command);

/** How much this worker's threads have touched since then goes into the ledger. */
void umsim_bounds_tell(void);

#endif
