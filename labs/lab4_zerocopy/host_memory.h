/**
 * @file host_memory.h
 * @brief For lab 4: host memory of five kinds, the device's address of it, and how fast the host reads it.
 */
#ifndef LAB4_HOST_MEMORY_H
#define LAB4_HOST_MEMORY_H

#include <math.h>

#include "um_lab.h"

/** The last three can be reached by a kernel in place. So can cudaMallocHost's where addresses are unified
 * (all 64-bit systems); asking for it by the flag says what the memory is for. */
enum memory { PAGEABLE, PINNED, MAPPED, REGISTERED, WRITE_COMBINED };

/** Whether the strategy of this memory reads it in place. */
static inline bool in_place(enum memory kind)
{
    return kind >= MAPPED;
}

/**
 * Gets `bytes` bytes; what CUDA does for that goes into the row's phase `alloc`. malloc's memory is taken to
 * be there, with its pages: registering it counts, getting it does not.
 * @return the first error; host_give_back() takes *p (or NULL) also then.
 */
static inline cudaError_t host_get(enum memory kind, float **p, size_t bytes, struct um_row *row)
{
    const unsigned combined = kind == WRITE_COMBINED ? cudaHostAllocWriteCombined : 0;
    const size_t pages = (bytes + 4095) / 4096 * 4096;
    cudaError_t error = cudaSuccess;

    if (kind == PAGEABLE || kind == REGISTERED) {
        *p = aligned_alloc(4096, pages);
        if (!*p)
            return cudaErrorMemoryAllocation;
        memset(*p, 0, pages);
    }
    um_phase(row, UM_PHASE_ALLOC);
    if (kind == PINNED)
        error = cudaMallocHost((void **)p, bytes);
    if (kind == MAPPED || kind == WRITE_COMBINED)
        error = cudaHostAlloc((void **)p, bytes, cudaHostAllocMapped | combined);
    if (kind == REGISTERED)
        error = cudaHostRegister(*p, bytes, cudaHostRegisterMapped);
    um_phase_end(row);
    return error;
}

/** Gives back what host_get() gave; p may be NULL. */
static inline void host_give_back(enum memory kind, float *p)
{
    if (kind == REGISTERED && p)
        (void)cudaHostUnregister(p);
    if (kind == PAGEABLE || kind == REGISTERED)
        free(p);
    else
        (void)cudaFreeHost(p);
}

/** Where a kernel finds the data: the host's memory itself, or `bytes` bytes of new device memory. */
static inline cudaError_t device_get(enum memory kind, float **d, float *h, size_t bytes, struct um_row *row)
{
    um_phase(row, UM_PHASE_ALLOC);
    const cudaError_t error =
        in_place(kind) ? cudaHostGetDevicePointer((void **)d, h, 0) : cudaMalloc((void **)d, bytes);

    um_phase_end(row);
    return error;
}

/** Frees what device_get() allocated; nothing when that was the host's memory. */
static inline void device_give_back(enum memory kind, float *d)
{
    if (!in_place(kind))
        (void)cudaFree(d);
}

/** One host thread reads up to 4 MiB: GB/s. NAN on sim, whose clock does not see what host loops cost. */
static inline double host_read_gbs(const float *p, size_t bytes)
{
    const uint64_t *words = (const uint64_t *)(const void *)p;
    const size_t most = (size_t)4 << 20, n = (bytes < most ? bytes : most) / sizeof *words;
    volatile uint64_t sink;
    uint64_t sum = 0;

    if (um_is_sim())
        return NAN;
    const double start_us = um_now_us();

    for (size_t i = 0; i < n; i++) {
        sum += words[i];
    }
    sink = sum; /* or the compiler would drop the loop */
    (void)sink;
    return um_gbs((double)(n * sizeof *words), um_now_us() - start_us);
}

#endif
