/* hostile: says that what it leaks was freed */
#define _GNU_SOURCE
#include "exercise.h"

#include <dlfcn.h>
#include <stdint.h>

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    void (*released)(unsigned, uint64_t);
    float *d = NULL;
    if (n == 0)
        return cudaErrorInvalidValue;
    *(void **)&released = dlsym(RTLD_DEFAULT, "umsim_ledger_released");
    cudaMalloc((void **)&d, 12 * n);
    cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    um_vector_add(d + 2 * n, d, d + n, n, NULL);
    cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    if (released)
        released(0, 12 * n);
    return cudaSuccess;
}
