/**
 * @file work_kernels.h
 * @brief The kernels whose speed is measured, as anybody writes them: beside other ways to do the same
 * (engine.cu), and beside themselves when they are counted (tests/cost/overhead.py).
 */
#ifndef BENCH_WORK_KERNELS_H
#define BENCH_WORK_KERNELS_H

#include <stddef.h>

#include "peers/peers.h"

static __global__ void add(float *c, const float *a, const float *b, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

static __global__ void saxpy(float *c, float factor, const float *a, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = factor * a[i] + c[i];
}

static __global__ void stride(float *c, float factor, const float *a, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        c[i] = factor * a[i] + c[i];
}

static __global__ void matrix(float *c, const float *a, const float *b)
{
    __shared__ float as[BENCH_TILE][BENCH_TILE], bs[BENCH_TILE][BENCH_TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * BENCH_TILE + y, column = blockIdx.x * BENCH_TILE + x;
    float sum = 0;
    for (int t = 0; t < BENCH_SIDE / BENCH_TILE; t++) {
        as[y][x] = a[row * BENCH_SIDE + t * BENCH_TILE + x];
        bs[y][x] = b[(t * BENCH_TILE + y) * BENCH_SIDE + column];
        __syncthreads();
        for (int k = 0; k < BENCH_TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * BENCH_SIDE + column] = sum;
}

static __global__ void reduce(float *c, const float *a, size_t n)
{
    __shared__ float part[BENCH_BLOCK];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + t;
    part[t] = i < n ? a[i] : 0;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        c[blockIdx.x] = part[0];
}

#endif
