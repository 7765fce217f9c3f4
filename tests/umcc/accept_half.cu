/*
 * half and bfloat16 where a kernel's numbers may stand and what lanes do with them: shared, constant, device
 * and managed variables, parameters, templates, shuffles, atomics, loads with hints, cooperative groups,
 * volatile.
 */
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__constant__ half2 scale[2];
__device__ __nv_bfloat16 total;
__device__ half table[3] = {__half_raw{0x3c00}, __half_raw{0x4000}, __half_raw{0x4200}}; /* 1, 2, 3 */
__managed__ half2 both;

struct point {
    half x, y;
    __nv_bfloat162 weight;
};

template <class T> __device__ T square(T x)
{
    return x * x;
}

__global__ void stands(half *out, point p, half by_value)
{
    __shared__ half tile[8][33];
    extern __shared__ half2 dynamic[];
    const int i = threadIdx.x;
    tile[i % 8][i] = by_value;
    tile[i % 8][i] += (half)i;
    dynamic[i] = __halves2half2(tile[i % 8][i], square(p.x));
    __syncthreads();
    const half2 other = dynamic[31 - i];
    volatile half kept = other.x;
    const half again = __half_raw(kept);
    out[i] = again + other.y * scale[1].y + table[i % 3] + (half)p.weight.y;
}

/* Sums by shuffles, each of its kind. */
template <class T> __device__ T sum_of_warp(T value)
{
    for (int by = 16; by > 0; by /= 2)
        value += __shfl_down_sync(0xffffffff, value, by);
    return __shfl_sync(0xffffffff, value, 0);
}

__global__ void lanes(float *out)
{
    const int i = threadIdx.x;
    const half h = sum_of_warp((half)i);
    const half2 h2 = sum_of_warp(__floats2half2_rn((float)i, 1.0f));
    const __nv_bfloat16 b = sum_of_warp((__nv_bfloat16)(i % 2));
    const __nv_bfloat162 b2 = __shfl_xor_sync(0xffffffff, __floats2bfloat162_rn((float)i, -1.0f), 1);
    const half up = __shfl_up_sync(0xffffffff, (half)i, 1, 8);
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const half most = cg::reduce(tile, (half)i, [](half x, half y) { return __hmax(x, y); });
    out[i] = (float)h + __low2float(h2) + __high2float(h2) + (float)b + __low2float(b2) + (float)up +
             (float)tile.shfl_down(most, 0);
}

__global__ void together(half *sum, const half *in, const __nv_bfloat162 *pairs, __nv_bfloat162 *pair_sum)
{
    atomicAdd(sum, __ldg(&in[threadIdx.x]));
    atomicAdd(&both, __floats2half2_rn(0.5f, -0.5f));
    atomicAdd(&total, (__nv_bfloat16)1.0f);
    atomicAdd(pair_sum, __ldcs(&pairs[threadIdx.x]));
    __stcg(&sum[1], __ldcv(&in[5]));
}

static void try_places()
{
    half *out = make_managed<half>(32);
    const half2 factors[2] = {half2(1.0f, 2.0f), __floats2half2_rn(3.0f, 0.5f)};
    point p = {2.0f, 0.0f, __floats2bfloat162_rn(0.0f, 0.25f)};
    CHECK(cudaMemcpyToSymbol(scale, factors, sizeof factors) == cudaSuccess);
    stands<<<1, 32, 32 * sizeof(half2)>>>(out, p, 0.5f);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 32; i++)
        CHECK((float)out[i] == 31 - i + 0.5f + 4 * 0.5f + i % 3 + 1 + 0.25f);
    CHECK(cudaFree(out) == cudaSuccess);
}

static void try_lanes()
{
    float *out = make_managed<float>(32);
    lanes<<<1, 32>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 496 + 496 + 32 + 16 + (i ^ 1) + (i % 8 ? i - 1 : i) + i / 16 * 16 + 15);
    CHECK(cudaFree(out) == cudaSuccess);
}

static void try_atomics()
{
    half *numbers = make_managed<half>(2 + 256);
    __nv_bfloat162 *pairs = make_managed<__nv_bfloat162>(1 + 256);
    __nv_bfloat16 count;
    for (int i = 0; i < 256; i++) {
        numbers[2 + i] = i % 3;
        pairs[1 + i] = __floats2bfloat162_rn(1.0f, (float)(i % 2));
    }
    together<<<1, 256>>>(numbers, numbers + 2, pairs + 1, pairs);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK((float)numbers[0] == 255 && (float)numbers[1] == 2);
    CHECK(__low2float(both) == 128 && __high2float(both) == -128);
    CHECK(__low2float(pairs[0]) == 256 && __high2float(pairs[0]) == 128);
    CHECK(cudaMemcpyFromSymbol(&count, total, sizeof count) == cudaSuccess && (float)count == 256);
    CHECK(cudaFree(numbers) == cudaSuccess && cudaFree(pairs) == cudaSuccess);
}

int main()
{
    try_places();
    try_lanes();
    try_atomics();
    return finish();
}
