/*
 * Programs from before Volta, whose lanes take each step on a volatile array together without saying so: the
 * last steps of NVIDIA's classic reduction, a warp's scan. CUDA no longer promises it; here it works as on
 * hardware.
 */
#include "check.h"

template <class T, unsigned Block> __device__ void reduce_warp(volatile T *s, unsigned t)
{
    if (Block >= 64)
        s[t] += s[t + 32];
    if (Block >= 32)
        s[t] += s[t + 16];
    if (Block >= 16)
        s[t] += s[t + 8];
    if (Block >= 8)
        s[t] += s[t + 4];
    if (Block >= 4)
        s[t] += s[t + 2];
    if (Block >= 2)
        s[t] += s[t + 1];
}
template <class T, unsigned Block> __global__ void reduce(const T *in, T *out)
{
    __shared__ T s[Block < 64 ? 64 : Block];
    const unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * Block + t];
    __syncthreads();
    for (unsigned half = Block / 2; half > 32; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32)
        reduce_warp<T, Block>(s, t);
    if (t == 0)
        out[blockIdx.x] = s[0];
}

/* No barrier between the last step of all and the first warp's own: the second warp has its turn before. */
__device__ void add_by_warp(volatile int *s, int t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
__global__ void reduce_unguarded(const int *in, int *out)
{
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = in[t];
    for (int half = 128; half > 32; half >>= 1) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half];
    }
    if (t < 32)
        add_by_warp(s, t);
    if (t == 0)
        *out = s[0];
}

/* The same with the steps in the kernel itself, behind its barriers. */
__global__ void reduce_in_place(const int *in, int *out)
{
    __shared__ int s[256];
    const unsigned t = threadIdx.x;
    int sum = s[t] = in[t];
    __syncthreads();
    if (t < 128)
        s[t] = sum = sum + s[t + 128];
    __syncthreads();
    if (t < 64)
        s[t] = sum = sum + s[t + 64];
    __syncthreads();
    if (t < 32) {
        volatile int *warp = s;
        warp[t] = sum = sum + warp[t + 32];
        warp[t] = sum = sum + warp[t + 16];
        warp[t] = sum = sum + warp[t + 8];
        warp[t] = sum = sum + warp[t ^ 4];
        warp[t] = sum = sum + warp[t ^ 2];
        warp[t] = sum = sum + warp[t ^ 1];
    }
    __syncthreads();
    out[t] = s[0];
}

/* Reads below its own place, so that the order of threads would show; the value passes through a variable. */
__global__ void scan(int *p)
{
    extern __shared__ volatile int s[];
    const int lane = threadIdx.x & 31;
    int sum;
    s[threadIdx.x] = sum = p[threadIdx.x];
    if (lane >= 1)
        s[threadIdx.x] = sum = sum + s[threadIdx.x - 1];
    if (lane >= 2)
        s[threadIdx.x] = sum = sum + s[threadIdx.x - 2];
    if (lane >= 4)
        s[threadIdx.x] = sum = sum + s[threadIdx.x - 4];
    if (lane >= 8)
        s[threadIdx.x] = sum = sum + s[threadIdx.x - 8];
    if (lane >= 16)
        s[threadIdx.x] = sum = sum + s[threadIdx.x - 16];
    p[threadIdx.x] = sum;
}

/* A cast of another array, two dimensions, two assignments in one statement. */
__global__ void turn(int *p)
{
    __shared__ int rows[2][32];
    const int t = threadIdx.x % 32, row = threadIdx.x / 32;
    volatile int(*unused)[32] = rows;
    volatile int *mine = rows[row];
    mine[t] = p[threadIdx.x];
    mine[t] = mine[(t + 1) % 32], p[threadIdx.x] = 0;
    for (int i = 0; i < 3; i++)
        mine[t] = mine[(t + 1) % 32];
    p[threadIdx.x] += unused[row][t];
}

/* The host may call it, too. */
__host__ __device__ void mark(volatile int *p, int value)
{
    p[0] = value;
}
__global__ void mark_all(int *p)
{
    mark(p + threadIdx.x, threadIdx.x);
}

template <class T, unsigned Block> static void check_reduce()
{
    const int blocks = 5;
    T *in = make_managed<T>(blocks * Block), *out = make_managed<T>(blocks);
    for (unsigned i = 0; i < blocks * Block; i++)
        in[i] = (T)(i % 11);
    reduce<T, Block><<<blocks, Block>>>(in, out);
    SYNC();
    for (int b = 0; b < blocks; b++) {
        T sum = 0;
        for (unsigned i = 0; i < Block; i++)
            sum += in[b * Block + i];
        CHECK(out[b] == sum);
    }
    cudaFree(in);
    cudaFree(out);
}

int main()
{
    check_reduce<int, 512>();
    check_reduce<float, 64>();
    check_reduce<double, 128>();
    int *all = make_managed<int>(512), sum = 0;
    for (int i = 0; i < 256; i++)
        sum += all[i] = i * i % 13;
    reduce_in_place<<<1, 256>>>(all, all + 256);
    SYNC();
    CHECK(all[256] == sum && all[511] == sum);
    reduce_unguarded<<<1, 256>>>(all, all + 256);
    SYNC();
    CHECK(all[256] == sum);
    int *p = make_managed<int>(64);
    for (int i = 0; i < 64; i++)
        p[i] = i * 7 % 10;
    int want[64];
    for (int i = 0; i < 64; i++)
        want[i] = p[i] + (i % 32 ? want[i - 1] : 0);
    scan<<<1, 64, 64 * sizeof(int)>>>(p);
    SYNC();
    for (int i = 0; i < 64; i++)
        CHECK(p[i] == want[i]);
    for (int i = 0; i < 64; i++)
        p[i] = i;
    turn<<<1, 64>>>(p);
    SYNC();
    for (int i = 0; i < 64; i++)
        CHECK(p[i] == i / 32 * 32 + (i + 4) % 32);
    mark_all<<<1, 64>>>(p);
    SYNC();
    mark(p, 5);
    CHECK(p[63] == 63 && p[0] == 5);
    return finish();
}
