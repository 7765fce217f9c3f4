/**
 * @file matrices.cu
 * @brief Transposes and products of matrices, each in the ways that a course compares.
 */
#include "cells.h"

__global__ void transpose_reading_rows(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    b[(size_t)x * n + y] = a[(size_t)y * n + x];
}

__global__ void transpose_writing_rows(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    b[(size_t)y * n + x] = a[(size_t)x * n + y];
}

template <int PAD> __global__ void transpose_tiled(const float *a, float *b, int n)
{
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = a[(size_t)(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        b[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void copy_matrix(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    b[(size_t)y * n + x] = a[(size_t)y * n + x];
}

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(size_t)y * n + k] * b[(size_t)k * n + x];
    c[(size_t)y * n + x] = sum;
}

/* Neighbours of a warp are in one column. */
__global__ void multiply_by_columns(const float *a, const float *b, float *c, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(size_t)y * n + k] * b[(size_t)k * n + x];
    c[(size_t)y * n + x] = sum;
}

template <int TILE> __global__ void multiply_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[threadIdx.y][threadIdx.x] = a[(size_t)y * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(size_t)(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[(size_t)y * n + x] = sum;
}

__global__ void multiply_vector_by_rows(const float *a, const float *v, float *out, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(size_t)y * n + k] * v[k];
    out[y] = sum;
}

__global__ void multiply_vector_by_columns(const float *a, const float *v, float *out, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(size_t)k * n + y] * v[k];
    out[y] = sum;
}

static void transposes(const float *a, float *b, int n)
{
    const dim3 square(32, 32), flat(32, 8), grid(n / 32, n / 32), small(16, 16), small_grid(n / 16, n / 16);
    cell("transpose/copy", n, [&] { copy_matrix<<<grid, square>>>(a, b, n); });
    cell("transpose/reading-rows", n, [&] { transpose_reading_rows<<<grid, square>>>(a, b, n); });
    cell("transpose/writing-rows", n, [&] { transpose_writing_rows<<<grid, square>>>(a, b, n); });
    cell("transpose/reading-rows-16", n, [&] { transpose_reading_rows<<<small_grid, small>>>(a, b, n); });
    cell("transpose/tiled", n, [&] { transpose_tiled<0><<<grid, flat>>>(a, b, n); });
    cell("transpose/tiled-padded", n, [&] { transpose_tiled<1><<<grid, flat>>>(a, b, n); });
}

static void products(const float *a, const float *b, float *c, int n)
{
    const dim3 block(16, 16), grid(n / 16, n / 16), square(32, 32), square_grid(n / 32, n / 32);
    cell("multiply/plain", n, [&] { multiply<<<grid, block>>>(a, b, c, n); });
    cell("multiply/plain-32", n, [&] { multiply<<<square_grid, square>>>(a, b, c, n); });
    cell("multiply/by-columns", n, [&] { multiply_by_columns<<<square_grid, square>>>(a, b, c, n); });
    cell("multiply/tiled-16", n, [&] { multiply_tiled<16><<<grid, block>>>(a, b, c, n); });
    cell("multiply/tiled-32", n, [&] { multiply_tiled<32><<<square_grid, square>>>(a, b, c, n); });
}

void cells_of_matrices()
{
    const int largest = divide == 1 ? 8192 : 512;
    device_array<float> a((size_t)largest * largest), b((size_t)largest * largest),
        c((size_t)largest * largest);
    for (int n = divide == 1 ? 1024 : 256; n <= largest; n *= 2)
        transposes(a, b, n);
    for (int n = divide == 1 ? 256 : 64; n <= largest / 4; n *= 2)
        products(a, b, c, n);
    for (int n = largest / 8; n <= largest; n *= 2) {
        cell("matrix-vector/by-rows", n, [&] { multiply_vector_by_rows<<<n / 32, 32>>>(a.p, b.p, c.p, n); });
        cell("matrix-vector/by-columns", n,
             [&] { multiply_vector_by_columns<<<n / 32, 32>>>(a.p, b.p, c.p, n); });
    }
}
