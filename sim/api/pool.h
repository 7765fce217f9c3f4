/**
 * @file pool.h
 * @brief How much of the device's memory the memory pools (cudaMallocAsync) hold.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_POOL_H
#define UMSIM_API_POOL_H

#include "../space/registry.h"

/** Bytes that the pools hold and do not use. They serve no one else before umsim_pools_trim(). */
size_t umsim_pools_held(void);

/** Removes an allocation that is about to be released from its pool, if it has one. */
void umsim_pool_forget(struct umsim_alloc *allocation);

/**
 * Makes all pools give back what they do not use: when an allocation finds the device full, and at a reset.
 */
void umsim_pools_trim(void);

#endif
