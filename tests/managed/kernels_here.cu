/**
 * @file kernels_here.cu
 * @brief See kernels_here.h.
 */
#include "kernels_here.h"

#include "umsim.h"

#define THREADS 128

static unsigned blocks(size_t n)
{
    return (unsigned)((n + THREADS - 1) / THREADS);
}

__global__ void add_at(int *x, const uint32_t *at, size_t count, int value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[at[i]] += value;
}

extern "C" cudaError_t here_add_at(int *x, size_t n, const uint32_t *at, size_t count, int value,
                                   bool declared, cudaStream_t stream)
{
    if (declared) {
        umsim_kernel_reads(x, n * sizeof *x);
        umsim_kernel_writes(x, n * sizeof *x);
    }
    add_at<<<blocks(count), THREADS, 0, stream>>>(x, at, count, value);
    return cudaGetLastError();
}

__global__ void hammer(unsigned *lines, size_t count, unsigned shared)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        lines[16 * i] += 1;
        atomicAdd_system(&lines[16 * i + shared], 1u);
    }
}

extern "C" cudaError_t here_hammer(unsigned *lines, size_t count, unsigned shared, cudaStream_t stream)
{
    umsim_kernel_reads(lines, count * 64);
    hammer<<<blocks(count), THREADS, 0, stream>>>(lines, count, shared);
    return cudaGetLastError();
}

template <typename Int> static __device__ void update(Int &x, enum here_operation operation, int number)
{
    switch (operation) {
    case HERE_INCREMENT:
        x = x + 1;
        break;
    case HERE_ADD:
        x = x + number;
        break;
    case HERE_AND:
        x = x & 0xffff;
        break;
    case HERE_SHIFT:
        x = x << number;
        break;
    case HERE_NEGATE:
        x = -x;
        break;
    case HERE_INVERT:
        x = ~x;
        break;
    case HERE_SET_BIT:
        x = x | 1 << number;
        break;
    case HERE_OPERATIONS:
        break;
    }
}

/* volatile: the compiler may not make one instruction of the read and the write. */
template <typename Int>
__global__ void update_each(Int *x, size_t stride, size_t count, enum here_operation operation, int number)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        update(x[i * stride], operation, number);
}

extern "C" cudaError_t here_update(int *x, size_t n, size_t stride, enum here_operation operation, bool apart)
{
    const size_t count = n / stride;

    if (apart)
        update_each<volatile int><<<blocks(count), THREADS>>>(x, stride, count, operation, 3);
    else
        update_each<int><<<blocks(count), THREADS>>>(x, stride, count, operation, 3);
    return cudaGetLastError();
}
