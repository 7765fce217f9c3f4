/**
 * @file sum.cu
 * @brief A sum in two kernels: each block adds up its share in shared memory, then one block adds the
 * blocks' sums.
 *
 * It takes two kernels because blocks cannot wait for each other inside one, but the second kernel starts
 * only when the first has ended. The sums are doubles: whole numbers add up exactly up to 2^53, in any
 * order.
 */
#include "launch.h"

extern "C" __global__ void um_sum_kernel(double *partials, const float *x, size_t n)
{
    __shared__ double shared[UM_BLOCK_THREADS];
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    double mine = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine += x[i];
    }
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = UM_BLOCK_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partials[blockIdx.x] = shared[0];
}

extern "C" __global__ void um_sum_partials_kernel(double *result, const double *partials, unsigned count)
{
    __shared__ double shared[UM_BLOCK_THREADS];
    double mine = 0;

    for (unsigned i = threadIdx.x; i < count; i += UM_BLOCK_THREADS) {
        mine += partials[i];
    }
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = UM_BLOCK_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *result = shared[0];
}

extern "C" cudaError_t um_sum(double *result, double *partials, const float *x, size_t n, cudaStream_t stream)
{
    const unsigned blocks = n < (size_t)UM_SUM_BLOCKS * UM_BLOCK_THREADS ? um_blocks(n) : UM_SUM_BLOCKS;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    um_launch_begin();
    um_sum_kernel<<<blocks, UM_BLOCK_THREADS, 0, stream>>>(partials, x, n);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    um_sum_partials_kernel<<<1, UM_BLOCK_THREADS, 0, stream>>>(result, partials, blocks);
    return cudaGetLastError();
}
