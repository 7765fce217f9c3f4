/**
 * @file warps.cu
 * @brief What few warps wait for: arithmetic whose results are needed at once, votes, matrix products, shared
 * memory by float atomics; and what loops of a course's kernels do beside their accesses.
 */
#include "cells.h"

#include <mma.h>

#define BLOCK 256

template <class T> __global__ void one_chain(T *out, int rounds, T w)
{
    T v = (T)threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v = v * w + (T)3;
    if (v == (T)-12345)
        out[0] = v;
}

__global__ void one_chain_of_roots(float *out, int rounds)
{
    float v = (float)threadIdx.x + 2;
    for (int i = 0; i < rounds; i++)
        v = rsqrtf(v + 1.0f);
    if (v == -1.0f)
        out[0] = v;
}

__global__ void vote(int *out, int rounds)
{
    int v = (int)threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v += (int)__popc(__ballot_sync(0xffffffffu, v & 1)) + __any_sync(0xffffffffu, v == i);
    if (v == -1)
        out[0] = v;
}

__global__ void sum_of_warp(int *out, int rounds)
{
    unsigned v = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        v = __reduce_add_sync(0xffffffffu, v) + threadIdx.x;
    if (v == 12345)
        out[0] = (int)v;
}

__global__ void meet_as_warps(float *out, int rounds)
{
    volatile __shared__ float cells[BLOCK];
    for (int i = 0; i < rounds; i++) {
        cells[threadIdx.x] = (float)i;
        __syncwarp();
        if (cells[threadIdx.x ^ 1] == -1.0f)
            out[0] = 1;
        __syncwarp();
    }
}

template <class T> __global__ void add_shared_real(float *out, int rounds, unsigned mask)
{
    __shared__ T sums[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        sums[i] = 0;
    __syncthreads();
    unsigned at = threadIdx.x * 2654435761u;
    for (int i = 0; i < rounds; i++) {
        atomicAdd(&sums[(at >> 8) & mask], (T)1);
        at = at * 1664525u + 1013904223u;
    }
    __syncthreads();
    if (sums[threadIdx.x] == (T)-1)
        out[0] = 1;
}

/* Threads of a block end their work at different times: lane by lane, or warp by warp. */
__global__ void uneven(float *out, int rounds, int by_warps)
{
    const int share = by_warps ? (int)(threadIdx.x / 32) : (int)(threadIdx.x % 32) / 4;
    float v = (float)threadIdx.x;
    for (int i = 0; i < rounds * share; i++)
        v = v * 1.0001f + 0.5f;
    if (v == -1.0f)
        out[0] = v;
}

__global__ void multiply_fragments(float *out, int rounds)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(a, __float2half(0.5f));
    wmma::fill_fragment(b, __float2half(0.25f));
    wmma::fill_fragment(c, 0.0f);
    for (int i = 0; i < rounds; i++)
        wmma::mma_sync(c, a, b, c);
    if (c.x[0] == -1.0f)
        out[0] = c.x[0];
}

/* Sums of a matrix's rows: a thread a row, and a warp a row. */
__global__ void sum_rows_by_threads(const float *a, float *out, int n)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int x = 0; x < n; x++)
        sum += a[(size_t)y * n + x];
    out[y] = sum;
}

__global__ void sum_rows_by_warps(const float *a, float *out, int n)
{
    int y = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int x = lane; x < n; x += 32)
        sum += a[(size_t)y * n + x];
    for (int half = 16; half; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    if (lane == 0)
        out[y] = sum;
}

/* All threads read the same words, few or many. */
__global__ void read_one_table(const float *table, float *out, int rounds, unsigned mask)
{
    float sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += table[(threadIdx.x + 32 * i) & mask];
    if (sum == -1.0f)
        out[0] = sum;
}

static void chains_of_one(float *out)
{
    const int rounds = (int)(4096 / divide) + 1;
    cell("latency/fma-float", [&] { one_chain<float><<<132, 128>>>(out, rounds, 1.0001f); });
    cell("latency/fma-double", [&] { one_chain<double><<<132, 128>>>((double *)out, rounds, 1.0001); });
    cell("latency/multiply-int", [&] { one_chain<int><<<132, 128>>>((int *)out, rounds, 3); });
    cell("latency/root", [&] { one_chain_of_roots<<<132, 128>>>(out, rounds / 4); });
    static const unsigned warps[] = {1, 2, 4, 8, 16};
    for (unsigned w : warps)
        cell("latency/fma-float-warps", w, [&] { one_chain<float><<<132, 32 * w>>>(out, rounds, 1.0001f); });
}

void cells_of_warps()
{
    const int largest = divide == 1 ? 8192 : 512;
    device_array<float> a((size_t)largest * largest + (1 << 20)), out(8192);
    const int rounds = (int)(1024 / divide) + 4;
    chains_of_one(out.p);
    cell("warp/vote", [&] { vote<<<132 * 8, BLOCK>>>((int *)out.p, rounds); });
    cell("warp/sum", [&] { sum_of_warp<<<132 * 8, BLOCK>>>((int *)out.p, rounds); });
    cell("warp/meet", [&] { meet_as_warps<<<132 * 8, BLOCK>>>(out.p, rounds); });
    cell("warp/multiply-fragments", [&] { multiply_fragments<<<132 * 8, BLOCK>>>(out.p, rounds / 16); });
    static const unsigned masks[] = {0, 31, 1023};
    for (unsigned m : masks) {
        cell("atomic/shared-float", (long)m + 1,
             [&] { add_shared_real<float><<<132 * 8, BLOCK>>>(out.p, rounds / 8, m); });
        cell("atomic/shared-double", (long)m + 1,
             [&] { add_shared_real<double><<<132 * 8, BLOCK>>>(out.p, rounds / 8, m); });
    }
    cell("diverge/uneven-lanes", [&] { uneven<<<132 * 8, BLOCK>>>(out.p, rounds, 0); });
    cell("diverge/uneven-warps", [&] { uneven<<<132 * 8, BLOCK>>>(out.p, rounds, 1); });
    for (int n = divide == 1 ? 1024 : 256; n <= largest; n *= 2) {
        cell("rows/by-threads", n, [&] { sum_rows_by_threads<<<n / 32, 32>>>(a.p, out.p, n); });
        cell("rows/by-warps", n, [&] { sum_rows_by_warps<<<n / 8, BLOCK>>>(a.p, out.p, n); });
    }
    static const unsigned words[] = {1, 32, 1024, 16384, 1048576};
    for (unsigned w : words)
        cell("table/words", w, [&] { read_one_table<<<132 * 8, BLOCK>>>(a.p, out.p, rounds, w - 1); });
}
