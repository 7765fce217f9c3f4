/**
 * @file pool.h
 * @brief What memory pools (cudaMallocAsync) hold of the device's memory.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_POOL_H
#define UMSIM_API_POOL_H

#include "../space/registry.h"

/** Bytes that the pools keep and do not use: nobody else's, but see umsim_pools_trim(). */
size_t umsim_pools_held(void);

/** An allocation is about to be released: it is no longer its pool's, if it was one's. */
void umsim_pool_forget(struct umsim_alloc *allocation);

/** Has all pools give back what they do not use: when an allocation finds the device full, and at a reset. */
void umsim_pools_trim(void);

#endif
