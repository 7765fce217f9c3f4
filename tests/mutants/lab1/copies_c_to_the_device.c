/* mutant: c goes to the device, too; fails: vector_add_host/exact_bytes */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error = cudaSuccess;

    if (n == 0)
        return cudaSuccess;
    if ((error = cudaMalloc((void **)&d_a, bytes)) || (error = cudaMalloc((void **)&d_b, bytes)) ||
        (error = cudaMalloc((void **)&d_c, bytes)) ||
        (error = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)) ||
        (error = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice)) ||
        (error = cudaMemcpy(d_c, c, bytes, cudaMemcpyHostToDevice)) ||
        (error = um_vector_add(d_c, d_a, d_b, n, 0)) ||
        (error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)))
        goto out;
out:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
