/* mutant: k = 0 is refused; fails: saxpy_chain/right_data */
#include "exercise.h"

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    const size_t bytes = n * sizeof *y;
    float *d_x = NULL, *d_y = NULL;
    cudaError_t error = k == 0 ? cudaErrorInvalidValue : cudaMalloc((void **)&d_x, bytes);

    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_y, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
    for (unsigned i = 0; i < k && error == cudaSuccess; i++) {
        error = um_saxpy(d_y, factor, d_x, n, 0);
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    return error;
}
