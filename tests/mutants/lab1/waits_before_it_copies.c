/* mutant: waits for the kernel before a copy that waits for it; fails: vector_add_host/exact_bytes */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error = cudaSuccess;

    if (n == 0)
        return cudaSuccess;
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
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
