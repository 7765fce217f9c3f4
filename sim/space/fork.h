/**
 * @file fork.h
 * @brief What a child of fork() gets of the simulator's memory.
 *
 * Host process only. As with CUDA, a child has no GPU, and none of its parent's device or managed memory: the
 * addresses are not mapped there. Memory of cudaMallocHost and cudaHostAlloc stays shared with the parent: an
 * H200's driver maps /dev/zero shared for it. Registered memory is the program's own, so the child gets a
 * copy of it, unless it was shared before it was registered.
 *
 * The GPU process is forked from the host, too, and needs all of it. It is forked between umsim_fork_begin()
 * and umsim_fork_end().
 */
#ifndef UMSIM_FORK_H
#define UMSIM_FORK_H

#include "../base/signal_mask.h"

/** Called once, at the start. */
void umsim_fork_start(void);

/** Until umsim_fork_end() the program cannot fork in any thread, and what is forked otherwise inherits all of
 * the memory. @return the signals that were blocked */
umsim_signals umsim_fork_begin(void);
void umsim_fork_end(umsim_signals before);

/** @name While registered memory is being moved: the program cannot fork @{ */
umsim_signals umsim_fork_hold(void);
void umsim_fork_allow(umsim_signals before);
/** @} */

#endif
