/**
 * @file caches.cu
 * @brief Sizes around the caches, and how many threads are under way: occupancy, blocks, loops, tails.
 */
#include "cells.h"

#define BLOCK 256

template <int AT_ONCE> __global__ void sum_grid_stride(const float *a, float *out, size_t n)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    float sum[AT_ONCE] = {0};
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += AT_ONCE * step)
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (i + k * step < n)
                sum[k] += a[i + k * step];
    for (int k = 1; k < AT_ONCE; k++)
        sum[0] += sum[k];
    if (sum[0] == -1.0f)
        out[0] = sum[0];
}

/* Each block reads its own part again and again. */
__global__ void read_again(const float *a, float *out, size_t part, int rounds)
{
    const float *own = a + part * blockIdx.x;
    float sum = 0;
    for (int r = 0; r < rounds; r++)
        for (size_t i = threadIdx.x; i < part; i += blockDim.x)
            sum += own[i] * (float)r;
    if (sum == -1.0f)
        out[0] = sum;
}

__global__ void copy(const float *a, float *b, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i];
}

__global__ void chase(const unsigned *next, unsigned *out, int steps)
{
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < steps; i++)
        at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

__global__ void make_chain(unsigned *next, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    next[i & mask] = (i * 1664525u + 1013904223u) & mask; /* a full period */
}

__global__ void work_for_long(float *out, int rounds)
{
    float v = (float)threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v = v * 1.0001f + 0.5f;
    if (v == -1.0f)
        out[0] = v;
}

static void occupancies(const float *a, float *out)
{
    static const unsigned a_multiprocessor[] = {1, 2, 4, 8};
    const size_t n = ((size_t)200 << 18) / divide;
    for (unsigned m : a_multiprocessor) {
        cell("occupancy/one-load", m, [&] { sum_grid_stride<1><<<132 * m, BLOCK>>>(a, out, n); });
        cell("occupancy/four-loads", m, [&] { sum_grid_stride<4><<<132 * m, BLOCK>>>(a, out, n); });
    }
    cell("occupancy/few-blocks/1", [&] { sum_grid_stride<1><<<1, 1024>>>(a, out, n / 64); });
    cell("occupancy/few-blocks/16", [&] { sum_grid_stride<1><<<16, 1024>>>(a, out, n / 4); });
}

static void chains(float *out)
{
    static const long kib[] = {16, 128, 1024, 16384, 65536, 1048576};
    for (long k : kib) {
        const size_t n = std::max((size_t)1024, ((size_t)k << 8) / divide);
        device_array<unsigned> next(n);
        make_chain<<<blocks_for(n, 256), 256>>>(next.p, (unsigned)n - 1);
        cell("chain/one-warp", k, [&] { chase<<<1, 32>>>(next.p, (unsigned *)out, 1000); });
        if (n >= 132 * 1024)
            cell("chain/many", k, [&] { chase<<<132 * 4, 256>>>(next.p, (unsigned *)out, 100); });
    }
}

void cells_of_caches()
{
    device_array<float> a(((size_t)1 << 28) / divide), out((size_t)1 << 20);
    static const long mib[] = {1, 4, 16, 24, 32, 48, 64, 96, 256, 1024};
    for (long m : mib)
        cell("size/read", m,
             [&] { sum_grid_stride<4><<<132 * 8, BLOCK>>>(a.p, out.p, ((size_t)m << 18) / divide); });
    static const long kib[] = {8, 32, 64, 128, 192, 256, 384, 512};
    for (long k : kib)
        cell("again/one-block", k,
             [&] { read_again<<<132, 1024>>>(a.p, out.p, ((size_t)k << 8) / divide, 16); });
    for (long k : kib)
        if (k <= 128)
            cell("again/two-blocks", k,
                 [&] { read_again<<<264, 1024>>>(a.p, out.p, ((size_t)k << 8) / divide, 16); });
    occupancies(a, out);
    static const unsigned blocks[] = {32, 64, 96, 128, 256, 512, 1024};
    const size_t n = ((size_t)1 << 26) / divide;
    for (unsigned b : blocks)
        cell("block/copy", b, [&] { copy<<<blocks_for(n, b), b>>>(a.p, a.p + n, n); });
    chains(out);
    static const unsigned tails[] = {132, 133, 1056, 1057, 1188, 2112};
    for (unsigned t : tails)
        cell("tail/blocks", t, [&] { work_for_long<<<t, BLOCK>>>(out.p, (int)(20000 / divide)); });
}
