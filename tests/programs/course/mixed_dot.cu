// A dot product of half numbers, summed in half, in float, and in half by atomics: why sums want more digits
// than their terms. Sums of float are exact here, because the numbers are small and whole.
#include "common.h"
#include <cuda_fp16.h>

// A block's sum: each warp by shuffles, then the warps' sums through shared memory.
template <typename T> __device__ T blockSum(T value)
{
    extern __shared__ __align__(8) unsigned char storage[];
    T *warps = reinterpret_cast<T *>(storage);
    for (int offset = warpSize / 2; offset > 0; offset >>= 1)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % warpSize == 0)
        warps[threadIdx.x / warpSize] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? warps[threadIdx.x] : (T)0.0f;
    if (threadIdx.x < warpSize)
        for (int offset = warpSize / 2; offset > 0; offset >>= 1)
            value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__global__ void dotHalf(const half *a, const half *b, int n, half *sum)
{
    half mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine = __hfma(a[i], b[i], mine);
    mine = blockSum(mine);
    if (threadIdx.x == 0)
        *sum = mine;
}

__global__ void dotMixed(const half2 *a, const half2 *b, int pairs, float *sum)
{
    float mine = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        float2 x = __half22float2(a[i]), y = __half22float2(__ldg(&b[i]));
        mine += x.x * y.x + x.y * y.y;
    }
    mine = blockSum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

__global__ void dotAtomic(const half *a, const half *b, int n, half *sum, half2 *both)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(sum, a[i] * b[i]);
        atomicAdd(both, __halves2half2(a[i] * b[i], (half)-1.0f));
    }
}

int main(void)
{
    const int n = 16384, few = 1000;
    std::vector<half> a(n), b(n);
    double exact = 0, exact_few = 0;
    Random random(3);
    for (int i = 0; i < n; i++) {
        const int x = random.next() % 5, y = random.next() % 4;
        a[i] = __int2half_rn(x);
        b[i] = (half)(float)y;
        exact += x * y;
        if (i < few)
            exact_few += i % 2 == 0 ? 1 : 0;
    }
    half *d_a, *d_b, *d_half;
    float *d_float;
    half2 *d_both;
    CHECK(cudaMalloc(&d_a, n * sizeof(half)));
    CHECK(cudaMalloc(&d_b, n * sizeof(half)));
    CHECK(cudaMalloc(&d_half, 2 * sizeof(half)));
    CHECK(cudaMalloc(&d_float, sizeof(float)));
    CHECK(cudaMalloc(&d_both, sizeof(half2)));
    CHECK(cudaMemset(d_half, 0, 2 * sizeof(half)));
    CHECK(cudaMemset(d_float, 0, sizeof(float)));
    CHECK(cudaMemset(d_both, 0, sizeof(half2)));
    CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(half), cudaMemcpyHostToDevice));

    dotHalf<<<1, 256, 8 * sizeof(half)>>>(d_a, d_b, n, d_half);
    dotMixed<<<8, 256, 8 * sizeof(float)>>>((const half2 *)d_a, (const half2 *)d_b, n / 2, d_float);
    CHECK_KERNEL();
    half in_half;
    float in_float;
    CHECK(cudaMemcpy(&in_half, d_half, sizeof in_half, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&in_float, d_float, sizeof in_float, cudaMemcpyDeviceToHost));

    // Whole numbers up to 2048 are exact in half: the order of atomics does not matter below that.
    std::vector<half> ones(few);
    for (int i = 0; i < few; i++)
        ones[i] = i % 2 == 0 ? half(1.0f) : CUDART_ZERO_FP16;
    CHECK(cudaMemcpy(d_a, ones.data(), few * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, ones.data(), few * sizeof(half), cudaMemcpyHostToDevice));
    dotAtomic<<<blocks_for(few, 128), 128>>>(d_a, d_b, few, d_half + 1, d_both);
    CHECK_KERNEL();
    half by_atomics;
    half2 both;
    CHECK(cudaMemcpy(&by_atomics, d_half + 1, sizeof by_atomics, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&both, d_both, sizeof both, cudaMemcpyDeviceToHost));

    printf("exact %g; summed in float %g, in half %g\n", exact, in_float, __half2float(in_half));
    printf("by atomics %g of %g, both halves %g %g\n", (float)by_atomics, exact_few, __low2float(both),
           __high2float(both));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_half));
    CHECK(cudaFree(d_float));
    CHECK(cudaFree(d_both));
    return report(in_float == exact && fabs((float)in_half - exact) < 0.01 * exact &&
                  (float)by_atomics == exact_few && __low2float(both) == exact_few &&
                  __high2float(both) == -few);
}
