/* mutant: leaves all pages with the host, whatever is going to happen; fails: prepare/gpu_works */
#include "exercise.h"

static cudaError_t in_place(void *p, size_t bytes)
{
    const cudaError_t error = um_advise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);

    return error == cudaSuccess ? um_advise(p, bytes, cudaMemAdviseSetAccessedBy, 0) : error;
}

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    cudaError_t error;
    int concurrent;

    if (bytes == 0)
        return cudaSuccess;
    error = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    if (error != cudaSuccess || concurrent == 0)
        return error;
    (void)pattern;
    return in_place(p, bytes);
}
