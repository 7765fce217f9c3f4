/**
 * @file dense.cu
 * @brief Kernels that read and write whole arrays, one thread an element: add_one, vector_add, saxpy, fill.
 *
 * kernels.h says what each does and how to call it.
 */
#include "launch.h"

extern "C" __global__ void um_add_one_kernel(int *x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = x[i] + 1;
}

extern "C" cudaError_t um_add_one(int *x, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    if (!um_grid_ok(n))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_add_one_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(x, n);
    return cudaGetLastError();
}

extern "C" __global__ void um_vector_add_kernel(float *c, const float *a, const float *b, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" cudaError_t um_vector_add(float *c, const float *a, const float *b, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    if (!um_grid_ok(n))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_vector_add_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(c, a, b, n);
    return cudaGetLastError();
}

extern "C" __global__ void um_saxpy_kernel(float *y, float factor, const float *x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = factor * x[i] + y[i];
}

extern "C" cudaError_t um_saxpy(float *y, float factor, const float *x, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    if (!um_grid_ok(n))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_saxpy_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(y, factor, x, n);
    return cudaGetLastError();
}

extern "C" __global__ void um_fill_kernel(float *x, float value, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = value;
}

extern "C" cudaError_t um_fill(float *x, float value, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    if (!um_grid_ok(n))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_fill_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(x, value, n);
    return cudaGetLastError();
}
