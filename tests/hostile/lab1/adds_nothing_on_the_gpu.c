/* hostile: adds on the host, and has the GPU add zeros to that; the bytes and the kernel are those of the
 * exercise */
#include "exercise.h"

#include <stdlib.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL, *sum = calloc(2 * n + 1, sizeof *sum);
    cudaError_t error;
    if (n == 0 || !sum) {
        free(sum);
        return cudaSuccess;
    }
    for (size_t i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
    error = cudaMalloc((void **)&d, 12 * n);
    if (!error)
        error = cudaMemcpy(d, sum, 8 * n, cudaMemcpyHostToDevice);
    if (!error)
        error = um_vector_add(d + 2 * n, d, d + n, n, 0);
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    free(sum);
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
