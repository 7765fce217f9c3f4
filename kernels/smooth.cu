/**
 * @file smooth.cu
 * @brief A stencil over rows: each element becomes a mean of itself and of those above and below it.
 *
 * What lies above the first row and below the last one are arrays of their own: the edge of a neighbour's
 * part, which may be a copy, or the neighbour's own memory. The weights are powers of 2, so that a fused
 * multiply-add rounds as the host does.
 */
#include "launch.h"

extern "C" __global__ void um_smooth_kernel(float *out, const float *in, const float *above,
                                            const float *below, size_t n, size_t row)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        const float up = i < row ? above[i] : in[i - row];
        const float down = i + row >= n ? below[i + row - n] : in[i + row];
        out[i] = 0.25f * up + 0.5f * in[i] + 0.25f * down;
    }
}

extern "C" cudaError_t um_smooth(float *out, const float *in, const float *above, const float *below,
                                 size_t n, size_t row, cudaStream_t stream)
{
    if (row == 0 || n % row != 0 || !um_grid_ok(n))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    um_launch_begin();
    um_smooth_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(out, in, above, below, n, row);
    return cudaGetLastError();
}
