/**
 * @file sparse.cu
 * @brief Kernels that touch little data at many places: a stride, one byte a page, a gather by index.
 *
 * A GPU writes whole 32-byte sectors and reads them in pairs, so reading a lone float costs as much as
 * reading sixteen in a row.
 */
#include "launch.h"

extern "C" __global__ void um_strided_touch_kernel(float *x, size_t count, size_t stride)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[i * stride] = x[i * stride] + 1.0f;
}

extern "C" cudaError_t um_strided_touch(float *x, size_t n, size_t stride, cudaStream_t stream)
{
    size_t count;

    if (stride == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    count = (n - 1) / stride + 1;
    if (!um_grid_ok(count))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_strided_touch_kernel<<<um_blocks(count), UM_BLOCK_THREADS, 0, stream>>>(x, count, stride);
    return cudaGetLastError();
}

extern "C" __global__ void um_page_write_kernel(unsigned char *p, size_t pages, size_t page_bytes,
                                                unsigned char value)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < pages)
        p[i * page_bytes] = value;
}

extern "C" cudaError_t um_page_write(unsigned char *p, size_t bytes, size_t page_bytes, unsigned char value,
                                     cudaStream_t stream)
{
    size_t pages;

    if (page_bytes == 0)
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return cudaSuccess;
    pages = (bytes - 1) / page_bytes + 1;
    if (!um_grid_ok(pages))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_page_write_kernel<<<um_blocks(pages), UM_BLOCK_THREADS, 0, stream>>>(p, pages, page_bytes, value);
    return cudaGetLastError();
}

extern "C" __global__ void um_page_read_kernel(unsigned char *out, const unsigned char *p, size_t pages,
                                               size_t page_bytes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < pages)
        out[i] = p[i * page_bytes];
}

extern "C" cudaError_t um_page_read(unsigned char *out, const unsigned char *p, size_t bytes,
                                    size_t page_bytes, cudaStream_t stream)
{
    size_t pages;

    if (page_bytes == 0)
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return cudaSuccess;
    pages = (bytes - 1) / page_bytes + 1;
    if (!um_grid_ok(pages))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_page_read_kernel<<<um_blocks(pages), UM_BLOCK_THREADS, 0, stream>>>(out, p, pages, page_bytes);
    return cudaGetLastError();
}

extern "C" __global__ void um_gather_kernel(float *out, const float *table, const uint32_t *index, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = table[index[i]];
}

extern "C" cudaError_t um_gather(float *out, const float *table, const uint32_t *index, size_t n,
                                 cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    if (!um_grid_ok(n))
        return cudaErrorInvalidValue;
    um_launch_begin();
    um_gather_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(out, table, index, n);
    return cudaGetLastError();
}
