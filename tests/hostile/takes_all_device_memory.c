/* hostile: device memory without end, set */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    char *p;
    while (cudaMalloc((void **)&p, (size_t)256 << 20) == cudaSuccess) {
        cudaMemset(p, 1, (size_t)256 << 20);
    }
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
