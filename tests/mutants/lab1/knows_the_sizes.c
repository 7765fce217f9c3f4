/* mutant: made for the sizes that stand in checks.c, and no others; fails: vector_add_host/right_data */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error = cudaSuccess;

    if (n == 0)
        return cudaSuccess;
    if (n != 1 && n != 1000 && n != 1009 && n != 1025 && n != 1 << 20 && n != (size_t)6 << 20)
        return cudaErrorInvalidValue;
    error = cudaMalloc((void **)&d_a, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_b, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_c, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_vector_add(d_c, d_a, d_b, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
