/* fair: the result's memory is registered while the work is under way, and a host function marks its end */
#include <stdatomic.h>
#include <stdbool.h>

#include "exercise.h"

static void mark(void *flag)
{
    atomic_store((atomic_int *)flag, 1);
}

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    const size_t bytes = n * sizeof *y;
    float *d_x = NULL, *d_y = NULL;
    bool is_registered = false;
    atomic_int done = 0;
    cudaError_t error = cudaHostRegister(y, bytes, cudaHostRegisterDefault);

    is_registered = error == cudaSuccess;
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_y, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_y, y, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, 0);
    for (unsigned i = 0; i < k && error == cudaSuccess; i++) {
        error = um_saxpy(d_y, factor, d_x, n, 0);
    }
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(y, d_y, bytes, cudaMemcpyDeviceToHost, 0);
    if (error == cudaSuccess)
        error = cudaLaunchHostFunc(0, mark, &done);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error == cudaSuccess && !atomic_load(&done))
        error = cudaErrorUnknown;
    cudaFree(d_x);
    cudaFree(d_y);
    if (is_registered)
        cudaHostUnregister(y);
    return error;
}
