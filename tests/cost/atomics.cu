/**
 * @file atomics.cu
 * @brief Atomics from one address to many, and shared memory: conflicts, barriers, warps' operations.
 */
#include "cells.h"

#define BLOCK 256

__device__ inline unsigned mix(unsigned i)
{
    i = (i ^ 61) ^ (i >> 16);
    i *= 9;
    i ^= i >> 4;
    i *= 0x27d4eb2d;
    return i ^ (i >> 15);
}

__global__ void add_spread(int *counters, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counters[mix(i) & mask], 1);
}

__global__ void add_in_order(int *counters, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counters[i & mask], 1);
}

__global__ void add_and_use(int *counters, int *out, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = atomicAdd(&counters[mix(i) & mask], 1);
}

template <class T> __global__ void add_real(T *counters, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counters[mix(i) & mask], (T)1);
}

__global__ void compare_and_swap(unsigned *counters, unsigned n, unsigned mask)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicCAS(&counters[mix(i) & mask], i, i + 1);
}

__global__ void add_shared(int *out, int rounds, unsigned mask)
{
    __shared__ int counters[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        counters[i] = 0;
    __syncthreads();
    unsigned at = mix(threadIdx.x + blockIdx.x * 977);
    for (int i = 0; i < rounds; i++) {
        atomicAdd(&counters[at & mask], 1);
        at = at * 1664525u + 1013904223u;
        at ^= at >> 13;
    }
    __syncthreads();
    if (counters[threadIdx.x] == -1)
        out[0] = 1;
}

__global__ void read_shared(float *out, int rounds, int stride)
{
    __shared__ volatile float cells[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
        cells[i] = 1;
    __syncthreads();
    float sum = 0;
    unsigned at = threadIdx.x * stride;
    for (int i = 0; i < rounds; i++)
        sum += cells[(at + 32 * i) & 4095];
    if (sum == -1.0f)
        out[0] = sum;
}

__global__ void meet(float *out, int rounds)
{
    float v = threadIdx.x;
    for (int i = 0; i < rounds; i++) {
        v += 1.0f;
        __syncthreads();
    }
    if (v == -1.0f)
        out[0] = v;
}

__global__ void shuffle(float *out, int rounds)
{
    float v = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v += __shfl_xor_sync(0xffffffffu, v, 1 + (i & 15));
    if (v == -1.0f)
        out[0] = v;
}

/* Lanes of a warp take `ways` different paths, one after another. */
__global__ void diverge(float *out, int rounds, int ways)
{
    float v = threadIdx.x;
    for (int way = 0; way < ways; way++)
        if ((int)(threadIdx.x % ways) == way)
            for (int i = 0; i < rounds; i++)
                v = v * 1.0001f + (float)(way + 1);
    if (v == -1.0f)
        out[0] = v;
}

static void on_shared_memory(float *out)
{
    const int rounds = (int)(1024 / divide) + 4;
    static const unsigned masks[] = {0, 1, 31, 255, 1023};
    for (unsigned m : masks)
        cell("atomic/shared", (long)m + 1,
             [&] { add_shared<<<132 * 8, BLOCK>>>((int *)out, rounds / 4, m); });
    static const int strides[] = {0, 1, 2, 3, 4, 8, 16, 32, 33};
    for (int s : strides)
        cell("shared/stride", s, [&] { read_shared<<<132 * 8, BLOCK>>>(out, rounds, s); });
    static const unsigned blocks[] = {32, 128, 256, 1024};
    for (unsigned b : blocks)
        cell("barrier/block", b, [&] { meet<<<132 * 2, b>>>(out, rounds); });
    cell("shuffle", [&] { shuffle<<<132 * 8, BLOCK>>>(out, rounds); });
    static const int ways[] = {1, 2, 4, 8, 16, 32};
    for (int w : ways)
        cell("diverge/ways", w, [&] { diverge<<<132 * 8, BLOCK>>>(out, rounds, w); });
}

void cells_of_atomics()
{
    const unsigned n = (unsigned)(((size_t)1 << 22) / divide), blocks = blocks_for(n, BLOCK);
    device_array<double> memory((size_t)1 << 24), out(n);
    int *counters = (int *)memory.p;
    static const int bits[] = {0, 1, 3, 5, 8, 12, 16, 20, 24};
    for (int k : bits) {
        const unsigned mask = (1u << k) - 1;
        cell("atomic/spread", (long)mask + 1, [&] { add_spread<<<blocks, BLOCK>>>(counters, n, mask); });
        cell("atomic/in-order", (long)mask + 1, [&] { add_in_order<<<blocks, BLOCK>>>(counters, n, mask); });
        if (k == 0 || k == 12 || k == 24) {
            cell("atomic/used", (long)mask + 1,
                 [&] { add_and_use<<<blocks, BLOCK>>>(counters, (int *)out.p, n, mask); });
            cell("atomic/float", (long)mask + 1,
                 [&] { add_real<float><<<blocks, BLOCK>>>((float *)memory.p, n, mask); });
            cell("atomic/double", (long)mask + 1,
                 [&] { add_real<double><<<blocks, BLOCK>>>(memory.p, n, mask); });
            cell("atomic/cas", (long)mask + 1,
                 [&] { compare_and_swap<<<blocks, BLOCK>>>((unsigned *)counters, n, mask); });
        } else {
            cell("atomic/float", (long)mask + 1,
                 [&] { add_real<float><<<blocks, BLOCK>>>((float *)memory.p, n, mask); });
        }
    }
    on_shared_memory((float *)out.p);
}
