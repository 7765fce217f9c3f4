/* hostile: a kernel that runs from the end of its memory to wherever that leads */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaMalloc((void **)&d, (size_t)2 << 30);
    cudaMalloc((void **)&d, 4096);
    um_fill(d + 1024 - n % 1024, 1e9f, (size_t)1 << 42, NULL);
    cudaDeviceSynchronize();
    um_fill(d - ((size_t)1 << 38), 1e9f, 1024, NULL);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
