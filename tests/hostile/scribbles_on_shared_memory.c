/* hostile: fills all shared memory with one byte, and goes on calling */
/* cases: 3 */
#define _GNU_SOURCE
#include "exercise.h"
#include "shared.h"

static void fill(char *start, size_t bytes)
{
    memset(start, HOSTILE_CASE == 0 ? 0xff : HOSTILE_CASE == 1 ? 0x01 : 0x00, bytes);
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaMalloc((void **)&d, 4096);
    for (size_t i = 0; i < n; i++) {
        c[i] = a[i] + b[i];
    }
    each_shared(fill);
    cudaDeviceSynchronize();
    return cudaFree(d);
}
