/**
 * @file copy.cu
 * @brief A copy made by a kernel, for paths where the copy engines are slow and for copies inside a graph of
 * kernels.
 *
 * kernels.h says how to call it.
 */
#include "launch.h"

/* Each thread copies 16 bytes, the widest that it loads and stores at once; the thread after the last one
 * copies the rest. */
extern "C" __global__ void um_copy_wide_kernel(uint4 *to, const uint4 *from, size_t wide, size_t rest)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < wide)
        to[i] = from[i];
    else if (i == wide)
        for (size_t k = 0; k < rest; k++)
            ((char *)(to + wide))[k] = ((const char *)(from + wide))[k];
}

extern "C" __global__ void um_copy_bytes_kernel(char *to, const char *from, size_t bytes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < bytes)
        to[i] = from[i];
}

extern "C" cudaError_t um_copy_by_kernel(void *to, const void *from, size_t bytes, cudaStream_t stream)
{
    const bool aligned = ((uintptr_t)to | (uintptr_t)from) % sizeof(uint4) == 0;
    const size_t wide = bytes / sizeof(uint4), rest = bytes % sizeof(uint4);
    const size_t threads = aligned ? wide + (rest != 0) : bytes;

    if (bytes == 0)
        return cudaSuccess;
    if (!um_grid_ok(threads))
        return cudaErrorInvalidValue;
    um_launch_begin();
    if (aligned)
        um_copy_wide_kernel<<<um_blocks(threads), UM_BLOCK_THREADS, 0, stream>>>(
            (uint4 *)to, (const uint4 *)from, wide, rest);
    else
        um_copy_bytes_kernel<<<um_blocks(threads), UM_BLOCK_THREADS, 0, stream>>>((char *)to,
                                                                                  (const char *)from, bytes);
    return cudaGetLastError();
}
