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

/* volatile: a read, then a write. In one instruction they would be one access, a write. */
__global__ void add_at(volatile int *x, const uint32_t *at, size_t count, int value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        const int seen = x[at[i]];

        x[at[i]] = seen + value;
    }
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
