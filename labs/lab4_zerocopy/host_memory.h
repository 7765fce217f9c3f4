/**
 * @file host_memory.h
 * @brief Lab 4: five kinds of host memory, the device's address of each, and how fast the host reads it.
 */
#ifndef LAB4_HOST_MEMORY_H
#define LAB4_HOST_MEMORY_H

#include "um_lab.h"

/**
 * A kernel can reach the last three in place. It can also reach cudaMallocHost's memory where addresses are
 * unified (all 64-bit systems); the explicit flag says what the memory is for.
 */
enum memory { PAGEABLE, PINNED, MAPPED, REGISTERED, WRITE_COMBINED };

/** Whether the strategy of this memory reads it in place. */
static inline bool in_place(enum memory kind)
{
    return kind >= MAPPED;
}

/**
 * Allocates `bytes` bytes; CUDA's work for that goes into the row's phase `alloc`. Memory from malloc is
 * assumed to have its pages already: registering it counts, allocating it does not.
 * @return the first error; host_give_back() takes *p (or NULL) also then.
 */
cudaError_t host_get(enum memory kind, float **p, size_t bytes, struct um_row *row);

/** Frees what host_get() allocated; p may be NULL. */
void host_give_back(enum memory kind, float *p);

/** Gives a kernel the data's address: the host's memory itself, or `bytes` bytes of new device memory. */
cudaError_t device_get(enum memory kind, float **d, float *h, size_t bytes, struct um_row *row);

/** Frees what device_get() allocated; nothing when that was the host's memory. */
static inline void device_give_back(enum memory kind, float *d)
{
    if (!in_place(kind))
        (void)cudaFree(d);
}

/**
 * How fast one host thread reads up to 4 MiB, in GB/s. NAN on sim, whose clock does not see what host loops
 * cost.
 */
double host_read_gbs(const float *p, size_t bytes);

#endif
