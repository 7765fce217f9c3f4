/**
 * @file memory.h
 * @brief Allocates device memory within the device's capacity, for cudaMalloc and the pools.
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
 * @return cudaSuccess, or cudaErrorMemoryAllocation when the device does not have that much left
 */
cudaError_t umsim_device_allocate(size_t bytes, const char *call, const void *caller,
                                  struct umsim_alloc **out);

/** Frees all that a context of the driver API owns. */
void umsim_release_owned(const void *owner);

/** Frees pinned memory; nothing that is queued may use it. Defined in host.c. */
void umsim_host_release(struct umsim_alloc *allocation);

/** Gives the memory back; kernels lose access to it before the next launch. */
void umsim_device_release(struct umsim_alloc *allocation);

/**
 * Bytes of device memory that cudaMalloc can still take. Where the device can fault, managed pages are
 * evicted to make them available.
 */
size_t umsim_device_bytes_free(unsigned device);

/** Bytes of device memory that neither cudaMalloc nor a pool holds: what managed pages can have. */
size_t umsim_device_bytes_unclaimed(unsigned device);

/** ... and tells managed memory, which may take that much of it. */
void umsim_device_bytes_changed(unsigned device);

#endif
