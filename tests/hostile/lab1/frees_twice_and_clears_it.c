/* hostile: frees twice, and takes the error away by cudaGetLastError before the caller asks */
/* earns: 11 */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error = cudaSuccess;
    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d_a, 4 * n);
    if (!error)
        error = cudaMalloc((void **)&d_b, 4 * n);
    if (!error)
        error = cudaMalloc((void **)&d_c, 4 * n);
    if (!error)
        error = cudaMemcpy(d_a, a, 4 * n, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d_b, b, 4 * n, cudaMemcpyHostToDevice);
    if (!error)
        error = um_vector_add(d_c, d_a, d_b, n, 0);
    if (!error)
        error = cudaMemcpy(c, d_c, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    cudaFree(d_c);
    cudaGetLastError();
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
