/* fair: one device allocation for everything; empty sums are left out; what comes back comes by cudaMemcpy,
 * which waits */
#include <stdlib.h>

#include "exercise.h"

static size_t longest(const size_t *ends, size_t k)
{
    size_t left, right;

    if (k <= 1)
        return k ? *ends : 0;
    left = longest(ends, k / 2);
    right = longest(ends + k / 2, k - k / 2);
    return left > right ? left : right;
}

cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k)
{
    const size_t most = longest(ends, k);
    double *d = NULL, *home;
    float *numbers;
    cudaError_t error;

    if (most == 0) {
        while (k > 0) {
            sums[--k] = 0;
        }
        return cudaSuccess;
    }
    home = calloc(k, sizeof *home);
    if (!home)
        return cudaErrorMemoryAllocation;
    error = cudaMalloc((void **)&d, (UM_SUM_BLOCKS + k) * sizeof *d + most * sizeof *numbers);
    numbers = (float *)(void *)(d + UM_SUM_BLOCKS + k);
    if (error == cudaSuccess)
        error = cudaMemcpy(numbers, host, most * sizeof *numbers, cudaMemcpyHostToDevice);
    for (size_t j = 0; j < k && error == cudaSuccess; j++) {
        error = ends[j] ? um_sum(d + UM_SUM_BLOCKS + j, d, numbers, ends[j], 0) : cudaSuccess;
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(home, d + UM_SUM_BLOCKS, k * sizeof *home, cudaMemcpyDeviceToHost);
    for (size_t j = 0; j < k && error == cudaSuccess; j++) {
        sums[j] = ends[j] ? home[j] : 0;
    }
    cudaFree(d);
    free(home);
    return error;
}
