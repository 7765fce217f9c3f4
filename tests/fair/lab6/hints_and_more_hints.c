/* fair: advice first, for both sides, that says no more than is true; some of it is taken back again */
#include "exercise.h"

enum { FIRST_DEVICE = 0 };

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const cudaError_t error_ = (call);                                                                   \
        if (error_ != cudaSuccess)                                                                           \
            return error_;                                                                                   \
    } while (0)

static cudaError_t for_the_gpu(void *p, size_t bytes)
{
    TRY(um_advise(p, bytes, cudaMemAdviseSetReadMostly, FIRST_DEVICE));
    TRY(um_advise(p, bytes, cudaMemAdviseUnsetReadMostly, FIRST_DEVICE)); /* it is going to write */
    return um_prefetch(p, bytes, FIRST_DEVICE, 0);
}

static cudaError_t for_both_in_place(void *p, size_t bytes)
{
    TRY(um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    TRY(um_advise(p, bytes, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    return um_advise(p, bytes, cudaMemAdviseSetAccessedBy, FIRST_DEVICE);
}

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    size_t free_bytes, all;
    int may_hint;

    if (!p || bytes == 0)
        return cudaSuccess;
    TRY(cudaDeviceGetAttribute(&may_hint, cudaDevAttrConcurrentManagedAccess, FIRST_DEVICE));
    if (!may_hint)
        return cudaSuccess;
    TRY(cudaMemGetInfo(&free_bytes, &all));
    if (pattern == LAB6_BOTH_READ) {
        TRY(um_advise(p, bytes, cudaMemAdviseSetReadMostly, cudaCpuDeviceId));
        return um_prefetch(p, bytes, FIRST_DEVICE, 0);
    }
    if (pattern == LAB6_HOST_ONLY)
        return um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    if ((pattern == LAB6_GPU_WORKS || pattern == LAB6_GPU_FILLS) && bytes <= free_bytes)
        return for_the_gpu(p, bytes);
    return for_both_in_place(p, bytes);
}
