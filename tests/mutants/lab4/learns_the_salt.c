/* mutant: lets the GPU sum one element, looks what it makes of it, and sums on the host; fails: dense_sums/right_data */
#include "exercise.h"

cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    double *result = NULL, *partials = NULL;
    float *copy = NULL;
    cudaError_t error;
    size_t most = 0;

    for (size_t j = 0; j < k; j++) {
        most = ends[j] > most ? ends[j] : most;
        sums[j] = 0;
    }
    if (most == 0)
        return cudaSuccess;
    error = cudaHostAlloc((void **)&result, sizeof *result, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&copy, most * sizeof *copy);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (error == cudaSuccess)
        error = cudaMemcpy(copy, host, most * sizeof *copy, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_sum(result, partials, copy, 1, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    for (size_t j = 0; j < k && error == cudaSuccess; j++) {
        if (ends[j] > 0)
            sums[j] = *result - host[0];
        for (size_t i = 0; i < ends[j]; i++) {
            sums[j] += host[i];
        }
    }
    cudaFree(partials);
    cudaFree(copy);
    cudaFreeHost(result);
    return error;
}
