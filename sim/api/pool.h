/**
 * @file pool.h
 * @brief How much of the device's memory the memory pools (cudaMallocAsync) hold.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_POOL_H
#define UMSIM_API_POOL_H

#include "../include/driver_types.h"
#include "../space/registry.h"

struct umsim_pool {
    size_t used;  /* bytes of its allocations, as requested */
    size_t need;  /* the same in whole pages */
    size_t pages; /* the same with pages that are freed in stream order but still exist */
    size_t reserved, reserved_high, used_high;
    uint64_t threshold;
    size_t most;             /* the most bytes that it may reserve */
    int reuse[3];            /* cudaMemPoolReuse... */
    unsigned device, access; /* whose memory; the other devices (bits) that may reach it */
    bool destroyed;          /* its handle is destroyed; its allocations live on */
    struct umsim_pool *next;
};

/** The pool behind a program's handle, or NULL. */
struct umsim_pool *umsim_pool_of(cudaMemPool_t handle);

/** Bytes of a device that its pools hold and do not use. They serve no one else before umsim_pools_trim(). */
size_t umsim_pools_held(unsigned device);

/** Removes an allocation that is about to be released from its pool, if it has one. */
void umsim_pool_forget(struct umsim_alloc *allocation);

/**
 * Makes all pools of the current device give back what they do not use: when an allocation finds the device
 * full, and at a reset.
 */
void umsim_pools_trim(void);

#endif
