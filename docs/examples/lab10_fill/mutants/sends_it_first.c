/* mutant: sends the array to the device first; fails: filled/exact_bytes */
#include "exercise.h"

cudaError_t filled(float *x, float value, size_t n)
{
    float *d_x = NULL;
    cudaError_t error = cudaMalloc((void **)&d_x, n * sizeof *x);

    if (error == cudaSuccess)
        error = cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_fill(d_x, value, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(x, d_x, n * sizeof *x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    return error;
}
