/* mutant: copies the indices to the device; fails: gather_sum/in_place */
#include "exercise.h"

cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    double *result = NULL, *partials = NULL;
    uint32_t *d_index = NULL;
    float *found = NULL;
    cudaError_t error;

    if (m == 0) {
        *sum = 0;
        return cudaSuccess;
    }
    error = cudaHostAlloc((void **)&result, sizeof *result, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&found, m * sizeof *found);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_index, m * sizeof *d_index);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_index, index, m * sizeof *index, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = um_gather(found, host, d_index, m, 0);
    if (error == cudaSuccess)
        error = um_sum(result, partials, found, m, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        *sum = *result;
    cudaFree(partials);
    cudaFree(d_index);
    cudaFree(found);
    cudaFreeHost(result);
    return error;
}
