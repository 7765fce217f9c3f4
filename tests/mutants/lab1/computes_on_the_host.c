/* mutant: kernels and copies for show, the host computes the answer; fails: vector_add_host/right_data */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;

    if (n == 0)
        return cudaSuccess;
    if (cudaMalloc((void **)&d, 3 * n * sizeof *d) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    cudaMemcpy(d, a, n * sizeof *d, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, n * sizeof *d, cudaMemcpyHostToDevice);
    um_vector_add(d + 2 * n, d, d + n, n, 0);
    cudaMemcpy(c, d + 2 * n, n * sizeof *d, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaFree(d);
}
