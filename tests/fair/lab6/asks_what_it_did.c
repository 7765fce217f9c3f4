/* fair: after each hint it asks for the range's attributes; every question is allowed */
#include "exercise.h"

static cudaError_t seen(const void *p, size_t bytes, enum cudaMemRangeAttribute what, int wanted)
{
    int is = 0;
    const cudaError_t error = cudaMemRangeGetAttribute(&is, sizeof is, what, p, bytes);

    return error != cudaSuccess || is == wanted ? error : cudaErrorUnknown;
}

static cudaError_t stay(void *p, size_t bytes)
{
    cudaError_t error = um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);

    if (error == cudaSuccess)
        error = seen(p, bytes, cudaMemRangeAttributePreferredLocation, cudaCpuDeviceId);
    if (error == cudaSuccess)
        error = um_advise(p, bytes, cudaMemAdviseSetAccessedBy, 0);
    return error == cudaSuccess ? seen(p, bytes, cudaMemRangeAttributeAccessedBy, 0) : error;
}

static cudaError_t go(void *p, size_t bytes)
{
    cudaError_t error = um_prefetch(p, bytes, 0, 0);

    return error == cudaSuccess ? seen(p, bytes, cudaMemRangeAttributePreferredLocation, cudaInvalidDeviceId)
                                : error;
}

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    int concurrent = 0;
    size_t free_bytes, total;
    cudaError_t error = cudaSuccess;

    if (bytes > 0)
        error = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    if (error != cudaSuccess || !concurrent || pattern == LAB6_HOST_ONLY)
        return error;
    switch (pattern) {
    case LAB6_GPU_LOOKS:
    case LAB6_NEW_INPUT:
        return stay(p, bytes);
    case LAB6_BOTH_READ:
        error = um_advise(p, bytes, cudaMemAdviseSetReadMostly, 0);
        if (error == cudaSuccess)
            error = seen(p, bytes, cudaMemRangeAttributeReadMostly, 1);
        return error == cudaSuccess ? go(p, bytes) : error;
    default:
        error = cudaMemGetInfo(&free_bytes, &total);
        if (error != cudaSuccess)
            return error;
        return bytes <= free_bytes ? go(p, bytes) : stay(p, bytes);
    }
}
