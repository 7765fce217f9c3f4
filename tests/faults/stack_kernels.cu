/**
 * @file stack_kernels.cu
 * @brief See stack_kernels.h.
 */
#include <alloca.h>

#include "stack_kernels.h"

/* What comes back is changed after the call, so that no compiler makes a loop of it. */
__device__ __noinline__ static int deep(int frames, const int *zero)
{
    if (frames == 0)
        return zero[0];
    const int below = deep(frames - 1, zero);
    return below + 1 + zero[below & 31];
}

__device__ __noinline__ static int deep_and_wide(int frames, const int *zero)
{
    int wide[36];
    for (int i = 0; i < 36; i++)
        wide[i] = zero[i & 31] + 1;
    if (frames == 0)
        return zero[0];
    const int below = deep_and_wide(frames - 1, zero);
    return below + wide[below % 36];
}

__device__ __noinline__ static int sum_of(size_t bytes, const int *zero)
{
    unsigned char *p = (unsigned char *)alloca(bytes);
    int sum = 0;
    for (size_t i = 0; i < bytes; i++)
        p[i] = (unsigned char)(1 + zero[i & 31]);
    for (size_t i = 0; i < bytes; i++)
        sum += p[(i * 7) % bytes];
    return sum;
}

template <int (*work_of)(int, const int *)> __global__ void plain(int *work, int frames)
{
    if (threadIdx.x == 5)
        work[32] = work_of(frames, work);
}

template <int (*work_of)(int, const int *)> __global__ void with_barriers(int *work, int frames)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    const int own = threadIdx.x == 5 ? work_of(frames, work) : 0;
    atomicAdd(&sum, __shfl_sync(0xffffffff, own, 5) * (threadIdx.x == 0));
    __syncthreads();
    if (threadIdx.x == 40)
        work[32] = sum;
}

__global__ static void plainly_take(int *work, size_t bytes)
{
    if (threadIdx.x == 5)
        work[32] = sum_of(bytes, work);
}

__global__ static void take_and_wait(int *work, size_t bytes)
{
    const int own = threadIdx.x == 5 ? sum_of(bytes, work) : 0;
    __syncthreads();
    const int all = __shfl_sync(0xffffffff, own, 5);
    if (threadIdx.x == 0)
        work[32] = all;
}

cudaError_t recurse(int *d_work, int frames)
{
    plain<deep><<<1, 64>>>(d_work, frames);
    return cudaGetLastError();
}

cudaError_t recurse_with_barriers(int *d_work, int frames)
{
    with_barriers<deep><<<1, 64>>>(d_work, frames);
    return cudaGetLastError();
}

cudaError_t recurse_widely(int *d_work, int frames)
{
    plain<deep_and_wide><<<1, 64>>>(d_work, frames);
    return cudaGetLastError();
}

cudaError_t recurse_widely_with_barriers(int *d_work, int frames)
{
    with_barriers<deep_and_wide><<<1, 64>>>(d_work, frames);
    return cudaGetLastError();
}

cudaError_t take(int *d_work, size_t bytes)
{
    plainly_take<<<1, 64>>>(d_work, bytes);
    return cudaGetLastError();
}

cudaError_t take_with_barriers(int *d_work, size_t bytes)
{
    take_and_wait<<<1, 64>>>(d_work, bytes);
    return cudaGetLastError();
}
