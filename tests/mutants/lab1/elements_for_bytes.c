/* mutant: sizes in elements where bytes are meant; fails: vector_add_host/right_data */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaError_t error = cudaSuccess;

    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 3 * n * sizeof *d);
    if (error == cudaSuccess)
        error = cudaMemcpy(d, a, n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d + n, b, n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_vector_add(d + 2 * n, d, d + n, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d + 2 * n, n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
