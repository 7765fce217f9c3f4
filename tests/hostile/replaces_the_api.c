/* hostile: its own cudaMemcpy, cudaMalloc, cudaGetLastError; build-error */
/* noticed: which is a name of the course */
#include "exercise.h"

#include <stdlib.h>
#include <string.h>

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    *p = malloc(bytes);
    return cudaSuccess;
}

cudaError_t um_vector_add(float *c, const float *a, const float *b, size_t n, cudaStream_t stream)
{
    (void)stream;
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
