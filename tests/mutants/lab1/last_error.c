/* mutant: returns the error of the last call, not of the first; fails: vector_add_host/errors */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    cudaMalloc((void **)&d_a, bytes);
    cudaMalloc((void **)&d_b, bytes);
    cudaMalloc((void **)&d_c, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    um_vector_add(d_c, d_a, d_b, n, 0);
    error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
