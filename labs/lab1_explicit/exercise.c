/**
 * @file exercise.c
 * @brief Lab 1's exercises: exercise.h says what each function has to do, and `make grade LAB=1` checks it.
 */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    // BEGIN SOLUTION
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
        error = cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_vector_add(d_c, d_a, d_b, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost); /* waits for the kernel */
    cudaFree(d_a);                                                 /* of NULL: nothing */
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
    // PLACEHOLDER
    // (void)c, (void)a, (void)b, (void)n;
    // return cudaErrorNotSupported; /* your code here */
    // END SOLUTION
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    // BEGIN SOLUTION
    const size_t bytes = n * sizeof *y;
    float *d_x = NULL, *d_y = NULL;
    cudaError_t error;

    error = cudaMalloc((void **)&d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_y, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
    for (unsigned i = 0; i < k && error == cudaSuccess; i++) {
        error = um_saxpy(d_y, factor, d_x, n, 0); /* the data stays where it is */
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    return error;
    // PLACEHOLDER
    // (void)y, (void)factor, (void)x, (void)n, (void)k;
    // return cudaErrorNotSupported; /* your code here */
    // END SOLUTION
}
