/* mutant: launches for nothing; fails: gather_sum/right_data */
#include "exercise.h"

cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    double *result = NULL, *partials = NULL;
    float *found = NULL;
    cudaError_t error;

    error = cudaHostAlloc((void **)&result, sizeof *result, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&found, m * sizeof *found);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (error == cudaSuccess)
        error = um_gather(found, host, index, m, 0);
    if (error == cudaSuccess)
        error = um_sum(result, partials, found, m, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        *sum = *result;
    cudaFree(partials);
    cudaFree(found);
    cudaFreeHost(result);
    return error;
}
