/**
 * @file host_memory.c
 * @brief Implementation of host_memory.h: how lab 3 allocates and frees its four kinds of host memory.
 */
#include "host_memory.h"
#include "um_page.h"

cudaError_t host_get(enum memory kind, int **p, size_t bytes, struct um_row *row)
{
    const size_t pages = um_whole_pages(bytes);
    cudaError_t error = cudaSuccess;

    if (kind == PAGEABLE || kind == REGISTERED) {
        *p = aligned_alloc(um_page_bytes(), pages);
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

void host_give_back(enum memory kind, int *p, struct um_row *row)
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
