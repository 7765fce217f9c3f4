/* mutant: leaves the place of an empty sum as it was; fails: dense_sums/right_data */
#include <string.h>

#include "exercise.h"

cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    double *results = NULL, *partials = NULL;
    float *copy = NULL;
    cudaError_t error;
    size_t most = 0;

    for (size_t j = 0; j < k; j++) {
        most = ends[j] > most ? ends[j] : most;
        sums[j] = 0;
    }
    if (most == 0)
        return cudaSuccess;
    error = cudaHostAlloc((void **)&results, k * sizeof *results, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&copy, most * sizeof *copy);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(copy, host, most * sizeof *copy, cudaMemcpyHostToDevice, 0);
    for (size_t j = 0; j < k && error == cudaSuccess; j++) {
        results[j] = ends[j] == 0 ? 1e300 : 0;
        error = um_sum(&results[j], partials, copy, ends[j], 0);
    }
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        memcpy(sums, results, k * sizeof *sums);
    cudaFree(partials);
    cudaFree(copy);
    cudaFreeHost(results);
    return error;
}
