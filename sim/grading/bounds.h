/**
 * @file bounds.h
 * @brief Limits what a graded kernel may touch.
 *
 * GPU process only.
 *
 * A kernel goes where its arguments point. In the GPU process that could be the ledger, the key, a table
 * that it shares with the server, or a stack, all of which it has to have open. So the kernels
 * that a grader trusts are compiled with a call before each memory access (mk/grade.mk), and the functions
 * here check the address that the access is about to use. It does not matter where the address came from: an
 * argument, an index that leads out of an array, or a pointer found in one. An access to anything but memory
 * that CUDA gave out or the block's own __shared__ memory fails as it would on hardware:
 * cudaErrorIllegalAddress.
 *
 * In the form of such a kernel that counts it is the same calls by which accesses are counted.
 *
 * Two kinds of access are not checked: those to local variables, where the compiler sees that they stay
 * within the variable; and the second of two accesses to one address, such as a write after a read. So
 * nothing may rely on memory being read-only for a kernel.
 */
#ifndef UMSIM_BOUNDS_H
#define UMSIM_BOUNDS_H

/** Adds to the ledger how many bytes this worker's threads have touched since the last call. */
void umsim_bounds_tell(void);

#endif
