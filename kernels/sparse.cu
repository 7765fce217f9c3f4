/**
 * @file sparse.cu
 * @brief Kernels that touch little data at many places: a stride, one byte a page, a gather by index.
 *
 * A GPU writes whole 32-byte sectors and reads them in pairs, so reading a lone float costs as much as
 * reading sixteen in a row. The launchers declare that traffic.
 */
#include "launch.h"

/* Bytes moved for `count` separate touches of `bytes` bytes, `apart` bytes from one to the next: at most
 * `most` each. */
static size_t pieces(size_t count, size_t bytes, size_t apart, size_t most)
{
    if (apart < bytes)
        apart = bytes;
    return count * (apart < most ? apart : most);
}

extern "C" __global__ void um_strided_touch_kernel(float *x, size_t count, size_t stride)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        x[i * stride] = x[i * stride] + 1.0f;
}

extern "C" cudaError_t um_strided_touch(float *x, size_t n, size_t stride, cudaStream_t stream)
{
    size_t count, apart;

    if (stride == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    count = (n - 1) / stride + 1;
    if (!um_grid_ok(count))
        return cudaErrorInvalidValue;
    apart = stride < UM_FETCH_BYTES ? stride * sizeof *x : UM_FETCH_BYTES;
    um_launch_begin();
    um_moves_read(x, pieces(count, sizeof *x, apart, UM_FETCH_BYTES));
    um_moves_write(x, pieces(count, sizeof *x, apart, UM_SECTOR_BYTES));
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
    um_moves_write(p, pieces(pages, 1, page_bytes, UM_SECTOR_BYTES));
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
    um_moves_read(p, pieces(pages, 1, page_bytes, UM_FETCH_BYTES));
    um_moves_write(out, pages);
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
    um_moves_read(index, n * sizeof *index);
    um_moves_read(table, n * UM_FETCH_BYTES);
    um_moves_write(out, n * sizeof *out);
    um_gather_kernel<<<um_blocks(n), UM_BLOCK_THREADS, 0, stream>>>(out, table, index, n);
    return cudaGetLastError();
}
