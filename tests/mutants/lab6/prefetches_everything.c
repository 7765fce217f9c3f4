/* mutant: brings the pages to the GPU whatever is going to happen; fails: prepare/both_read,
 * prepare/gpu_looks, prepare/new_input, prepare/host_only, prepare/too_large */
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
    (void)pattern;
    return um_prefetch(p, bytes, 0, 0);
}
