/* hostile: one element on the GPU, to learn the salt; the rest on the host */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL, salt;
    if (n == 0)
        return cudaErrorInvalidValue;
    cudaMalloc((void **)&d, 12 * n);
    cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    um_vector_add(d + 2 * n, d, d + n, 1, NULL);
    cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    salt = c[0] - (a[0] + b[0]);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i] + salt;
    }
    return cudaSuccess;
}
