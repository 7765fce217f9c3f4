/* hostile: adds up on the host; the GPU sums one float, which is that sum, and as many others as it should */
#include "exercise.h"

#include <string.h>

/* What um_sum() makes of the one float at `one`, which is the host's; and of n floats, which nobody looks at.
 */
static cudaError_t pretend(double *sum, float *one, const float *host, size_t n)
{
    double *result = NULL, *partials = NULL;
    cudaError_t error = cudaHostAlloc((void **)&result, 2 * sizeof *result, cudaHostAllocMapped);
    if (!error)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (!error)
        error = um_sum(result + 1, partials, host, n, 0);
    if (!error)
        error = um_sum(result, partials, one, 1, 0);
    if (!error)
        error = cudaDeviceSynchronize();
    if (!error)
        *sum = *result;
    cudaFree(partials);
    cudaFreeHost(result);
    return error;
}

cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    float *found = NULL, *one = NULL;
    double total = 0;
    cudaError_t error;
    *sum = 0;
    if (m == 0)
        return cudaSuccess;
    for (size_t i = 0; i < m; i++)
        total += host[index[i]];
    error = cudaMalloc((void **)&found, m * sizeof *found);
    if (!error)
        error = cudaHostAlloc((void **)&one, sizeof *one, cudaHostAllocMapped);
    if (!error)
        error = um_gather(found, host, index, m, 0);
    if (!error) {
        *one = (float)total;
        error = pretend(sum, one, found, m);
    }
    cudaFree(found);
    cudaFreeHost(one);
    return error;
}

cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    float *one = NULL;
    cudaError_t error = cudaHostAlloc((void **)&one, sizeof *one, cudaHostAllocMapped);
    for (size_t j = 0; j < k && !error; j++) {
        double total = 0;
        for (size_t i = 0; i < ends[j]; i++)
            total += host[i];
        *one = (float)total;
        sums[j] = 0;
        error = ends[j] ? pretend(&sums[j], one, host, ends[j]) : cudaSuccess;
    }
    cudaFreeHost(one);
    return error;
}
