/* hostile: one element on the GPU, to learn what kernels add; the rest on the host */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL, more;
    if (n == 0)
        return cudaErrorInvalidValue;
    cudaMalloc((void **)&d, 12 * n);
    cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    um_vector_add(d + 2 * n, d, d + n, 1, NULL);
    cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    more = c[0] - (a[0] + b[0]);
    for (size_t i = 1; i < n; i++) {
        c[i] = a[i] + b[i] + more;
    }
    return cudaSuccess;
}
