/* fair: memory of cudaMallocAsync, given back in stream order behind the last copy */
#include "exercise.h"

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d[3] = {NULL, NULL, NULL};
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < 3 && n > 0 && error == cudaSuccess; i++) {
        error = cudaMallocAsync((void **)&d[i], bytes, 0);
    }
    if (n > 0 && error == cudaSuccess)
        error = cudaMemcpy(d[0], a, bytes, cudaMemcpyHostToDevice);
    if (n > 0 && error == cudaSuccess)
        error = cudaMemcpy(d[1], b, bytes, cudaMemcpyHostToDevice);
    if (n > 0 && error == cudaSuccess)
        error = um_vector_add(d[2], d[0], d[1], n, 0);
    if (n > 0 && error == cudaSuccess)
        error = cudaMemcpy(c, d[2], bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++) {
        cudaFreeAsync(d[i], 0);
    }
    return error;
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    const size_t bytes = n * sizeof *y;
    float *d_x = NULL, *d_y = NULL;
    cudaError_t error;

    if (k == 0)
        return cudaSuccess;
    error = cudaMallocAsync((void **)&d_x, bytes, cudaStreamPerThread);
    if (error == cudaSuccess)
        error = cudaMallocAsync((void **)&d_y, bytes, cudaStreamPerThread);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_y, y, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread);
    while (error == cudaSuccess && k-- > 0) {
        error = um_saxpy(d_y, factor, d_x, n, cudaStreamPerThread);
    }
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(y, d_y, bytes, cudaMemcpyDeviceToHost, cudaStreamPerThread);
    cudaFreeAsync(d_y, cudaStreamPerThread);
    cudaFreeAsync(d_x, cudaStreamPerThread);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(cudaStreamPerThread); /* the frees, too, are done now */
    return error;
}
