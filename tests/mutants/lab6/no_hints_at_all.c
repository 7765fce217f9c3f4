/* mutant: gives no hints, and says that all is well; fails: prepare/gpu_works */
#include "exercise.h"

cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    cudaError_t error;
    int concurrent;

    if (bytes == 0)
        return cudaSuccess;
    error = cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    if (error != cudaSuccess || concurrent == 0)
        return error;
    (void)p, (void)pattern;
    return cudaSuccess;
}
