/**
 * @file stuck.h
 * @brief Failures of kernels whose threads wait for each other in a way that is undefined in CUDA, and mostly
 * hangs on a GPU.
 *
 * Such a kernel fails with cudaErrorLaunchFailure and a line that says which threads wait, where, and for
 * whom.
 *
 * GPU process only.
 */
#ifndef UMSIM_STUCK_H
#define UMSIM_STUCK_H

#include "fiber.h"

/** As it is called in kernels: "__shfl_sync". */
const char *umsim_operation_name(enum umsim_warp_operation operation);

/** A lane called an operation with a mask that does not name the lane itself. If there is no lane:
 * umsim_fail_unseen(). */
__attribute__((noreturn)) void umsim_fail_mask(struct umsim_worker *worker,
                                               enum umsim_warp_operation operation, unsigned mask,
                                               struct umsim_place_in_source place);

/** Lanes named in one mask called different operations: those of `meeting`, and the running thread. */
__attribute__((noreturn)) void umsim_fail_operations(struct umsim_worker *worker,
                                                     const struct umsim_meeting *meeting,
                                                     enum umsim_warp_operation operation,
                                                     struct umsim_place_in_source place);

/** Threads of a block wait at different barriers; the running thread's is at `place`. */
__attribute__((noreturn)) void umsim_fail_divergent(struct umsim_worker *worker,
                                                    struct umsim_place_in_source place);

/** Lanes wait for others that can never come. */
__attribute__((noreturn)) void umsim_fail_stuck(struct umsim_worker *worker);

/** All threads of the block that have not ended wait for each other, some of them in cuda::barrier or a
 * related type. */
__attribute__((noreturn)) void umsim_fail_waiting(struct umsim_worker *worker);

/** Blocks wait for the whole grid, but `ended` blocks have ended. */
__attribute__((noreturn)) void umsim_fail_grid(struct umsim_worker *worker, uint64_t ended);

/** A thread waits for the grid in a launch that is not cooperative. */
__attribute__((noreturn)) void umsim_fail_no_grid(struct umsim_worker *worker,
                                                  struct umsim_place_in_source place);

/** A wait in a kernel that has no fibers. */
__attribute__((noreturn)) void umsim_fail_unseen(struct umsim_worker *worker);

#endif
