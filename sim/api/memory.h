/**
 * @file memory.h
 * @brief Device memory within the device's capacity, for cudaMalloc and the pools.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_MEMORY_H
#define UMSIM_API_MEMORY_H

#include "runtime.h"
#include "../space/registry.h"

/**
 * Takes device memory.
 * @param caller where the API call returns to, for explanations
 * @return cudaSuccess, or cudaErrorMemoryAllocation when the device has not that much left
 */
cudaError_t umsim_device_allocate(size_t bytes, const char *call, const void *caller,
                                  struct umsim_alloc **out);

/** Gives it back; kernels lose it before the next launch. */
void umsim_device_release(struct umsim_alloc *allocation);

/** Device memory that cudaMalloc has left, bytes: managed pages make room by leaving, where the device can
 * fault. */
size_t umsim_device_bytes_free(void);

/** Device memory that neither cudaMalloc nor a pool holds: what managed pages can have. */
size_t umsim_device_bytes_unclaimed(void);

#endif
