/**
 * @file atomics.cu
 * @brief A kernel of atomic additions; peers.h says what it does.
 */
#include "peers.h"

#include "launch.h"

extern "C" __global__ void peers_atomic_add_kernel(int *x, size_t words, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(&x[i % words], 1);
}

extern "C" cudaError_t peers_atomic_add(int *x, size_t words, size_t n, cudaStream_t stream)
{
    um_launch_begin();
    peers_atomic_add_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(x, words, n);
    return cudaGetLastError();
}
