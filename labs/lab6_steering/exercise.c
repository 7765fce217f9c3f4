/**
 * @file exercise.c
 * @brief Lab 6's exercise: exercise.h says what prepare() has to do, and `make grade LAB=6` checks it.
 */
#include "exercise.h"

// BEGIN SOLUTION
#define GPU 0

/* The pages stay with the host, and the GPU has a mapping before it needs one. */
static cudaError_t use_in_place(void *p, size_t bytes)
{
    const cudaError_t error = um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);

    return error == cudaSuccess ? um_advise(p, bytes, cudaMemAdviseSetAccessedBy, GPU) : error;
}

/* What comes and does not fit would push out what has come before. */
static cudaError_t bring_if_it_fits(void *p, size_t bytes)
{
    size_t free_bytes, all_bytes;
    const cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);

    if (error != cudaSuccess)
        return error;
    return bytes <= free_bytes ? um_prefetch(p, bytes, GPU, 0) : use_in_place(p, bytes);
}
// END SOLUTION

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    // BEGIN SOLUTION
    cudaError_t error;
    int concurrent;

    if (bytes == 0)
        return cudaSuccess;
    error = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, GPU);
    if (error != cudaSuccess || concurrent == 0)
        return error;
    switch (pattern) {
    case LAB6_GPU_WORKS:
    case LAB6_GPU_FILLS:
        return bring_if_it_fits(p, bytes);
    case LAB6_BOTH_READ:
        error = um_advise(p, bytes, cudaMemAdviseSetReadMostly, GPU);
        return error == cudaSuccess ? um_prefetch(p, bytes, GPU, 0) : error;
    case LAB6_GPU_LOOKS:
    case LAB6_NEW_INPUT: /* what is written in each round has to cross in each: why not when it is read? */
        return use_in_place(p, bytes);
    default:
        return cudaSuccess;
    }
    // PLACEHOLDER
    // (void)p, (void)bytes, (void)pattern; /* your code */
    // return cudaErrorNotSupported;
    // END SOLUTION
}
