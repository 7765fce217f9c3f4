/* hostile: a macro that ends the process at an error */
/* earns: 8 */
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
#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        cudaError_t e = (x);                                                                                 \
        if (e != cudaSuccess) {                                                                              \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                        \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d[3];
    if (!n)
        return 0;
    for (int i = 0; i < 3; i++)
        CHECK(cudaMalloc((void **)&d[i], 4 * n));
    CHECK(cudaMemcpy(d[0], a, 4 * n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d[1], b, 4 * n, cudaMemcpyHostToDevice));
    CHECK(um_vector_add(d[2], d[0], d[1], n, 0));
    CHECK(cudaMemcpy(c, d[2], 4 * n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++)
        CHECK(cudaFree(d[i]));
    return 0;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
