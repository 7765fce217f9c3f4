/**
 * @file host_memory.h
 * @brief For lab 3: four kinds of host memory, each got and given back by its own calls.
 *
 * What is timed is what pinning adds. malloc's memory is taken to be there, with its pages (they come at the
 * first touch): it is got and touched outside of the phase. cudaMallocHost() gets its pages inside of it.
 */
#ifndef LAB3_HOST_MEMORY_H
#define LAB3_HOST_MEMORY_H

#include "um_lab.h"

enum memory { PAGEABLE, PINNED, WRITE_COMBINED, REGISTERED };

/**
 * Gets `bytes` bytes. What CUDA does for that goes into the row's phase `alloc` (row NULL: into none).
 * @return the first error; host_give_back() takes *p (or NULL) also then.
 */
static inline cudaError_t host_get(enum memory kind, int **p, size_t bytes, struct um_row *row)
{
    const size_t pages = (bytes + 4095) / 4096 * 4096;
    cudaError_t error = cudaSuccess;

    if (kind == PAGEABLE || kind == REGISTERED) {
        *p = aligned_alloc(4096, pages);
        if (!*p)
            return cudaErrorMemoryAllocation;
        memset(*p, 0, pages);
    }
    if (row)
        um_phase(row, UM_PHASE_ALLOC);
    if (kind == PINNED)
        error = cudaMallocHost((void **)p, bytes);
    if (kind == WRITE_COMBINED)
        error = cudaHostAlloc((void **)p, bytes, cudaHostAllocWriteCombined);
    if (kind == REGISTERED)
        error = cudaHostRegister(*p, bytes, cudaHostRegisterDefault);
    if (row)
        um_phase_end(row);
    return error;
}

/** Gives back what host_get() gave, likewise; p may be NULL. */
static inline void host_give_back(enum memory kind, int *p, struct um_row *row)
{
    if (row)
        um_phase(row, UM_PHASE_ALLOC);
    if (kind == PINNED || kind == WRITE_COMBINED)
        (void)cudaFreeHost(p);
    if (kind == REGISTERED && p)
        (void)cudaHostUnregister(p);
    if (row)
        um_phase_end(row);
    if (kind == PAGEABLE || kind == REGISTERED)
        free(p);
}

#endif
