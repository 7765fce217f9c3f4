/* fair: a copy is two copies of its halves, down to 100 floats; it tells what it does on stdout and stderr */
#include <stdio.h>

#include "exercise.h"

static cudaError_t copy(float *to, const float *from, size_t n, enum cudaMemcpyKind kind)
{
    const size_t half = n / 2;
    cudaError_t error;

    if (n <= 100 || n > 100000)
        return cudaMemcpy(to, from, n * sizeof *to, kind);
    error = copy(to + half, from + half, n - half, kind);
    return error == cudaSuccess ? copy(to, from, half, kind) : error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d_a, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_b, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_c, bytes);
    if (error == cudaSuccess)
        error = copy(d_a, a, n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = copy(d_b, b, n, cudaMemcpyHostToDevice);
    printf("there: %s\n", cudaGetErrorString(error));
    if (error == cudaSuccess)
        error = um_vector_add(d_c, d_a, d_b, n, 0);
    if (error == cudaSuccess)
        error = copy(c, d_c, n, cudaMemcpyDeviceToHost);
    fprintf(stderr, "back: %s (%d)\n", cudaGetErrorName(error), (int)error);
    cudaFree(d_c);
    cudaFree(d_b);
    cudaFree(d_a);
    return error;
}
