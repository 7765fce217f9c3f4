/**
 * @file heap.h
 * @brief The memory behind malloc(), free(), new and delete in kernels (devlib/heap.c).
 *
 * Each device has one. It has cudaLimitMallocHeapSize bytes at the end of the device's part of the arena,
 * where no allocation is made. Its addresses are device memory and stay valid until the context ends. They
 * belong to no allocation, so cudaFree() and cudaMemcpy() refuse them, as CUDA's manual says.
 *
 * The heap is managed in units of 16 bytes, so all its addresses are multiples of 16. The table of what is
 * free lies outside the heap: a kernel that writes past the end of a piece cannot break the heap itself.
 */
#ifndef UMSIM_HEAP_H
#define UMSIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/** Host process, before the GPU processes start: makes the tables, once. */
void umsim_heap_start(void);

/** Host process, while nothing runs: empties a device's heap and makes it `bytes` large, at most what
 * layout.h reserves. */
void umsim_heap_reset(unsigned device, size_t bytes);

/** Whether a kernel has asked a device's heap for memory since the last reset. */
bool umsim_heap_used(unsigned device);

/** GPU process, at its start: whose heap its kernels use. */
void umsim_heap_become(unsigned device);

/** Whether `p` is an address in a heap: in the GPU process its own, in the host's any. Async-signal-safe. */
bool umsim_heap_holds(const void *p);

/**
 * GPU process: takes memory for a kernel.
 * @param alignment in bytes; 0 and values below 16 mean 16
 * @return NULL when there is no free piece of that size
 */
void *umsim_heap_take(size_t bytes, size_t alignment);

/** GPU process: gives a piece back. @return false when it was not given out, or was given back before */
bool umsim_heap_give_back(void *p);

/** GPU process: whether `p` is in memory that the heap has given out and not got back. In large pieces, only
 * the first 64 KiB are distinguished from what lies behind. */
bool umsim_heap_given(const void *p);

/** GPU process: opens the heap around `p`. Async-signal-safe. @return false when `p` is not in the heap, or
 * the heap was never used */
bool umsim_heap_open(void *p);

#endif
