/* mutant: unusual but right: cudaMemcpyAsync, and one wait; fails: nothing */
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
        error = cudaMemcpyAsync(d_a, a, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_b, b, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = um_vector_add(d_c, d_a, d_b, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, 0);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(0);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
