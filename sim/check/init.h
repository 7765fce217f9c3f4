/**
 * @file init.h
 * @brief Tracks which bytes of device memory have been written: one bit for each byte of the device arena,
 * shared by both processes.
 *
 * Copies and memsets set bits in the host process, kernels in the GPU process. This never happens at the same
 * time, because no copy may touch what a running kernel uses.
 */
#ifndef UMSIM_CHECK_INIT_H
#define UMSIM_CHECK_INIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Host process, before the fork: reserves memory for the bits, sparse. */
bool umsim_init_start(void);

/** Whether `p` is memory that has such bits: cudaMalloc's and the like. */
bool umsim_init_knows(uintptr_t p);

/** @name For memory that umsim_init_knows() @{ */
void umsim_init_written(uintptr_t p, size_t bytes);
/** Marks the bytes as not written (any more). Where there are 8 bytes and more, up to 7 bytes behind them
 * count as theirs. */
void umsim_init_forget(uintptr_t p, size_t bytes);
/** The first byte of [p, p + bytes) that was never written; its end if there is none. */
uintptr_t umsim_init_missing(uintptr_t p, size_t bytes);
/** Whether any byte was written. */
bool umsim_init_any(uintptr_t p, size_t bytes);
/** @} */

/** Where the bits of address 0 would be: 8 for a byte there. */
uintptr_t umsim_init_bits(void);

#endif
