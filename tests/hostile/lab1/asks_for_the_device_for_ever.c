/* hostile: right code for vector_add_host, and 3,000 calls beside it: each of them could be made to fail */
/* earns: 12 */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d = NULL;
    cudaError_t error;
    int device;
    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 12 * n);
    for (int i = 0; i < 3000 && error == cudaSuccess; i++) {
        error = cudaGetDevice(&device);
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(d, a, 4 * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d + n, b, 4 * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = um_vector_add(d + 2 * n, d, d + n, n, NULL);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d + 2 * n, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    (void)y, (void)factor, (void)x, (void)n, (void)k;
    return cudaErrorNotSupported;
}
