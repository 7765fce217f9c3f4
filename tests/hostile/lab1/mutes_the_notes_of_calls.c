/* hostile: no error handling, needless waits, and the function that sends calls on returns at once */
/* earns: 9 */
#include "exercise.h"
#include "inside.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    float *d_a = 0, *d_b = 0, *d_c = 0;
    cudaError_t e;
    mute("umsim_client_call");
    if (n == 0)
        return cudaSuccess;
    cudaMalloc((void **)&d_a, 4 * n);
    cudaMalloc((void **)&d_b, 4 * n);
    e = cudaMalloc((void **)&d_c, 4 * n);
    cudaMemcpy(d_a, a, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, 4 * n, cudaMemcpyHostToDevice);
    if (!e)
        um_vector_add(d_c, d_a, d_b, n, 0);
    cudaDeviceSynchronize();
    if (!e)
        cudaMemcpy(c, d_c, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return e;
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    float *d_x = 0, *d_y = 0;
    mute("umsim_client_call");
    cudaMalloc((void **)&d_x, 4 * n);
    cudaMalloc((void **)&d_y, 4 * n);
    cudaMemcpy(d_x, x, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, 4 * n, cudaMemcpyHostToDevice);
    for (unsigned i = 0; i < k; i++) {
        um_saxpy(d_y, factor, d_x, n, 0);
        cudaDeviceSynchronize();
    }
    cudaMemcpy(y, d_y, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    return cudaSuccess;
}
