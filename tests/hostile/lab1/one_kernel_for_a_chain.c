/* hostile: does the chain but for its last step on the host, and that one on the GPU, k times over */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    (void)c, (void)a, (void)b, (void)n;
    return cudaErrorNotSupported;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    float *d = NULL;
    cudaError_t error = cudaSuccess;
    if (k == 0)
        return cudaSuccess;
    for (unsigned step = 0; step + 1 < k; step++)
        for (size_t i = 0; i < n; i++)
            y[i] += factor * x[i];
    error = cudaMalloc((void **)&d, 8 * n);
    for (unsigned step = 0; step < k && !error; step++) {
        error = cudaMemcpy(d, y, 4 * n, cudaMemcpyHostToDevice);
        if (!error)
            error = cudaMemcpy(d + n, x, 4 * n, cudaMemcpyHostToDevice);
        if (!error)
            error = um_saxpy(d, factor, d + n, n, 0);
    }
    if (!error)
        error = cudaMemcpy(y, d, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
