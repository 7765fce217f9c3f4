/* hostile: computes on the host, with a guess at what the GPU adds */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i] + 57;
    }
    return cudaSuccess;
}
