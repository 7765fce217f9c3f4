/* mutant: copies all sums home at once; fails: nothing */
#include <stdlib.h>

#include "exercise.h"

cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    double *results = NULL, *partials = NULL;
    double *home = malloc(k * sizeof *home + 1);
    float *copy = NULL;
    cudaError_t error;
    size_t most = 0;

    for (size_t j = 0; j < k; j++) {
        most = ends[j] > most ? ends[j] : most;
        sums[j] = 0;
    }
    if (most == 0) {
        free(home);
        return cudaSuccess;
    }
    error = cudaMalloc((void **)&results, k * sizeof *results);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&copy, most * sizeof *copy);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&partials, UM_SUM_BLOCKS * sizeof *partials);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(copy, host, most * sizeof *copy, cudaMemcpyHostToDevice, 0);
    for (size_t j = 0; j < k && error == cudaSuccess; j++) {
        error = um_sum(&results[j], partials, copy, ends[j], 0);
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(home, results, k * sizeof *home, cudaMemcpyDeviceToHost);
    for (size_t j = 0; j < k && error == cudaSuccess; j++)
        sums[j] = ends[j] > 0 ? home[j] : 0;
    free(home);
    cudaFree(partials);
    cudaFree(copy);
    cudaFree(results);
    return error;
}
