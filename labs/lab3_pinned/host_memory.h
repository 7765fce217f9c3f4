/**
 * @file host_memory.h
 * @brief For lab 3: four kinds of host memory, each got and given back by its own calls.
 *
 * The pageable kinds are touched before they count as got: until then malloc's pages are a promise, while
 * pinned ones come with their memory, and the two would not be compared alike.
 */
#ifndef LAB3_HOST_MEMORY_H
#define LAB3_HOST_MEMORY_H

#include "um_lab.h"

enum memory { PAGEABLE, PINNED, WRITE_COMBINED, REGISTERED };

/** Gets `bytes` bytes. @return the first error; host_give_back() takes *p (or NULL) also then. */
static inline cudaError_t host_get(enum memory kind, int **p, size_t bytes)
{
    const size_t pages = (bytes + 4095) / 4096 * 4096;

    if (kind == PINNED)
        return cudaMallocHost((void **)p, bytes);
    if (kind == WRITE_COMBINED)
        return cudaHostAlloc((void **)p, bytes, cudaHostAllocWriteCombined);
    *p = aligned_alloc(4096, pages);
    if (*p == NULL)
        return cudaErrorMemoryAllocation;
    memset(*p, 0, pages);
    return kind == REGISTERED ? cudaHostRegister(*p, bytes, cudaHostRegisterDefault) : cudaSuccess;
}

/** Gives back what host_get() gave; p may be NULL. */
static inline void host_give_back(enum memory kind, int *p)
{
    if (kind == PINNED || kind == WRITE_COMBINED) {
        (void)cudaFreeHost(p);
        return;
    }
    if (kind == REGISTERED && p != NULL)
        (void)cudaHostUnregister(p);
    free(p);
}

#endif
