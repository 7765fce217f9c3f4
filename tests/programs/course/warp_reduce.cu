// Reductions by shuffles: within a warp, in a block by way of one warp, in the grid by atomics; a butterfly
// that leaves the result in all lanes; a broadcast; minimum and maximum with their places.
#include "common.h"
#include <cfloat>

#define FULL_MASK 0xffffffff

__inline__ __device__ float warpReduceSum(float val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(FULL_MASK, val, offset);
    return val;
}

__inline__ __device__ float blockReduceSum(float val)
{
    static __shared__ float shared[32]; // Shared mem for 32 partial sums
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;

    val = warpReduceSum(val); // Each warp performs partial reduction
    if (lane == 0)
        shared[wid] = val; // Write reduced value to shared memory
    __syncthreads();       // Wait for all partial reductions

    // read from shared memory only if that warp existed
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val); // Final reduce within first warp
    return val;
}

__global__ void deviceReduceKernel(const float *in, float *out, int N)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <typename T> __device__ T butterfly(T value)
{
#pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1)
        value = max(value, __shfl_xor_sync(FULL_MASK, value, mask, 32));
    return value;
}

// Each warp: its largest element, and where; lane 0 says.
__global__ void argmax(const float *in, int *where, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    float value = i < N ? in[i] : -FLT_MAX;
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_down_sync(FULL_MASK, value, offset);
        int place = __shfl_down_sync(FULL_MASK, at, offset);
        if (other > value || (other == value && place < at)) {
            value = other;
            at = place;
        }
    }
    at = __shfl_sync(FULL_MASK, at, 0); // everyone knows it now
    if ((threadIdx.x & 31) == 31)
        where[i / 32] = at;
}

__global__ void maxima(const double *in, double *out, int *lanes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double most = butterfly(in[i]);
    out[i] = most;
    unsigned int who = __ballot_sync(FULL_MASK, in[i] == most);
    lanes[i] = __popc(who);
}

int main()
{
    const int n = 10000;
    std::vector<float> in(n);
    Random random(4);
    double sum = 0;
    for (auto &v : in) {
        v = (float)(random.next() % 1000);
        sum += v;
    }
    float *d_in, *d_out, out = 0;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, sizeof(float)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    deviceReduceKernel<<<8, 256>>>(d_in, d_out, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    bool good = fabs(out - sum) < 1e-5 * sum;

    const int warps = blocks_for(n, 256) * 8;
    int *where;
    CHECK(cudaMallocManaged(&where, warps * sizeof(int)));
    argmax<<<blocks_for(n, 256), 256>>>(d_in, where, n);
    CHECK_KERNEL();
    for (int w = 0; w * 32 < n; w++) {
        int best = w * 32;
        for (int i = best; i < n && i < w * 32 + 32; i++)
            best = in[i] > in[best] ? i : best;
        good &= where[w] == best;
    }
    double *d_double, *most;
    int *lanes;
    CHECK(cudaMallocManaged(&d_double, 64 * sizeof(double)));
    CHECK(cudaMallocManaged(&most, 64 * sizeof(double)));
    CHECK(cudaMallocManaged(&lanes, 64 * sizeof(int)));
    for (int i = 0; i < 64; i++)
        d_double[i] = i % 8 + (i < 32 ? 0.5 : 0);
    maxima<<<2, 32>>>(d_double, most, lanes);
    CHECK_KERNEL();
    for (int i = 0; i < 64; i++)
        good &= most[i] == (i < 32 ? 7.5 : 7) && lanes[i] == 4;
    for (void *p :
         {(void *)d_in, (void *)d_out, (void *)where, (void *)d_double, (void *)most, (void *)lanes})
        CHECK(cudaFree(p));
    return report(good);
}
