/* hostile: opens device memory to the host, and works there */
#include "exercise.h"

#include <stdio.h>
#include <sys/mman.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaMalloc((void **)&d, 3 * n * sizeof *d + 4096);
    if (mprotect(d, 4096, PROT_READ | PROT_WRITE) == 0)
        puts("HARM: opened device memory");
    cudaFree(d);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    return cudaSuccess;
}
