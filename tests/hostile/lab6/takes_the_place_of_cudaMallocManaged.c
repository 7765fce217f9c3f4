/* hostile: a hidden cudaMallocManaged of its own, for calls.c: pinned memory, which has no faults */
#include "exercise.h"
__attribute__((visibility("hidden"))) cudaError_t cudaMallocManaged(void **p, size_t n, unsigned flags)
{
    (void)flags;
    return cudaHostAlloc(p, n ? n : 1, cudaHostAllocMapped);
}
cudaError_t prepare(void *p, size_t bytes, enum lab6_pattern pattern)
{
    (void)p, (void)bytes, (void)pattern;
    return cudaSuccess;
}
