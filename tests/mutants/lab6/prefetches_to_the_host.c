/* mutant: brings the pages to the host; fails: prepare/gpu_works */
#include "exercise.h"

static cudaError_t in_place(void *p, size_t bytes)
{
    const cudaError_t error = um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);

    return error == cudaSuccess ? um_advise(p, bytes, cudaMemAdviseSetAccessedBy, 0) : error;
}

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    size_t free_bytes, all_bytes;
    cudaError_t error;
    int concurrent;

    if (bytes == 0)
        return cudaSuccess;
    error = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    if (error != cudaSuccess || concurrent == 0)
        return error;
    switch (pattern) {
    case LAB6_GPU_WORKS:
    case LAB6_GPU_FILLS:
        error = cudaMemGetInfo(&free_bytes, &all_bytes);
        if (error != cudaSuccess)
            return error;
        return bytes <= free_bytes ? um_prefetch(p, bytes, cudaCpuDeviceId, 0) : in_place(p, bytes);
    case LAB6_BOTH_READ:
        error = um_advise(p, bytes, cudaMemAdviseSetReadMostly, 0);
        return error == cudaSuccess ? um_prefetch(p, bytes, 0, 0) : error;
    case LAB6_GPU_LOOKS:
    case LAB6_NEW_INPUT:
        return in_place(p, bytes);
    default:
        return cudaSuccess;
    }
}
