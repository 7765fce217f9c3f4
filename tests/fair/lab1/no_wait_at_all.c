/* fair: cudaMemcpyAsync to memory from malloc returns when the bytes are there, so that nothing is left to
 * wait for */
#include "exercise.h"

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    float *d_x = NULL, *d_y = NULL;
    cudaError_t error = cudaMalloc((void **)&d_x, n * sizeof *x);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_y, n * sizeof *y);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_y, y, n * sizeof *y, cudaMemcpyHostToDevice, 0);
    for (; k > 0 && error == cudaSuccess; k--) {
        error = um_saxpy(d_y, factor, d_x, n, 0);
    }
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(y, d_y, n * sizeof *y, cudaMemcpyDeviceToHost, 0);
    cudaFree(d_y);
    cudaFree(d_x);
    return error;
}
