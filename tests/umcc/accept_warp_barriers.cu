/*
 * Warps of a block that wait at different places of the source: a barrier counts who comes to it, wherever
 * that is. CUDA's guide does not promise it (--check tells of it); on a GPU it works, and programs whose
 * warps have different work rely on it.
 */
#include "check.h"

enum { LANES = 64, ROWS = 10 };

/* Two warps fetch rows, two others add them up one step later: each side has barriers of its own. */
__global__ void fetch_and_add(const int *rows, int *sums)
{
    __shared__ int row[2][LANES];
    const int t = threadIdx.x;
    if (threadIdx.y == 0) {
        for (int i = 0; i < ROWS; i++) {
            row[i % 2][t] = rows[i * LANES + t];
            __syncthreads();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < ROWS; i++) {
            __syncthreads();
            sum += row[i % 2][t] * (i + 1);
        }
        sums[t] = sum;
    }
}

/* Counts over threads that come to different places; the last warp's come first. */
__global__ void count_from_both(int *counts)
{
    const int t = threadIdx.x;
    int n;
    if (t < 32)
        n = __syncthreads_count(t % 2 == 0);
    else
        n = __syncthreads_count(t < 40);
    __syncthreads();
    counts[t] = n;
}

/* In each turn other warps wait elsewhere. */
__global__ void turns(int *out)
{
    __shared__ int total;
    const int t = threadIdx.x, warp = t / 32;
    if (t == 0)
        total = 0;
    __syncthreads();
    for (int turn = 0; turn < 8; turn++) {
        if (warp == turn % 4) {
            if (t % 32 == 0)
                total += warp + 1;
            __syncthreads();
        } else {
            __syncthreads();
        }
        if (t == 0)
            out[turn] = total;
        __syncthreads();
    }
}

int main()
{
    int *rows = make_managed<int>(ROWS * LANES), *out = make_managed<int>(2 * LANES);
    for (int i = 0; i < ROWS * LANES; i++)
        rows[i] = i % 17;
    fetch_and_add<<<1, dim3(LANES, 2)>>>(rows, out);
    SYNC();
    for (int t = 0; t < LANES; t++) {
        int sum = 0;
        for (int i = 0; i < ROWS; i++)
            sum += rows[i * LANES + t] * (i + 1);
        CHECK(out[t] == sum);
    }
    count_from_both<<<1, 96>>>(out);
    SYNC();
    for (int t = 0; t < 96; t++)
        CHECK(out[t] == 16 + 8);
    turns<<<1, 128>>>(out);
    SYNC();
    for (int turn = 0, total = 0; turn < 8; turn++) {
        total += turn % 4 + 1;
        CHECK(out[turn] == total);
    }
    return finish();
}
