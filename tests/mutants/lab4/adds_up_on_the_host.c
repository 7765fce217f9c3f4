/* mutant: lets the GPU gather, and adds up on the host; fails: gather_sum/right_data */
#include "exercise.h"

cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m)
{
    double *result = NULL, *partials = NULL;
    float *found = NULL;
    cudaError_t error;

    if (m == 0) {
        *sum = 0;
        return cudaSuccess;
    }
    error = cudaHostAlloc((void **)&result, sizeof *result, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaHostAlloc((void **)&found, m * sizeof *found, cudaHostAllocMapped);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (error == cudaSuccess)
        error = um_gather(found, host, index, m, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess) {
        *sum = 0;
        for (size_t i = 0; i < m; i++)
            *sum += found[i];
    }
    cudaFree(partials);
    cudaFreeHost(found);
    cudaFreeHost(result);
    return error;
}
