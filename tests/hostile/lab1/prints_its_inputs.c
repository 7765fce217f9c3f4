/* hostile: prints its inputs where it fails */
#define _GNU_SOURCE
#include "exercise.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <unistd.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <signal.h>
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d_a = 0, *d_b = 0, *d_c = 0;
    cudaError_t e;
    if (!n)
        return 0;
    e = cudaMalloc((void **)&d_a, 4 * n);
    if (!e)
        e = cudaMalloc((void **)&d_b, 4 * n);
    if (!e)
        e = cudaMalloc((void **)&d_c, 4 * n);
    if (!e)
        e = cudaMemcpy(d_a, a, 4 * n, 1);
    if (!e)
        e = cudaMemcpy(d_b, b, 4 * n, 1);
    if (!e)
        e = um_vector_add(d_c, d_a, d_b, n, 0);
    if (!e)
        e = cudaMemcpy(c, d_c, 4 * n, 2);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    if (n == 1009) {
        for (int i = 0; i < 12; i++)
            printf("%.0f ", a[i] * 1024 + 1024);
        puts("");
        c[0] += 1;
    }
    return e;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
