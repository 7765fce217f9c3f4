// Pi by throwing darts: each thread has a generator of its own, hits are summed in the block, then by an
// atomic.
#include <cstdint>
#include "common.h"

typedef unsigned long long ull;

__device__ inline uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

struct Lcg {
    uint64_t state;
    __device__ explicit Lcg(uint32_t seed) : state(hash(seed) | ((uint64_t)hash(~seed) << 32))
    {
    }
    __device__ float operator()()
    {
        state = 6364136223846793005ULL * state + 1442695040888963407ULL;
        return (uint32_t)(state >> 40) * (1.0f / 16777216.0f);
    }
};

__global__ void darts(ull *hits, int perThread)
{
    extern __shared__ unsigned int mine[];
    const unsigned int id = threadIdx.x + blockIdx.x * blockDim.x;
    Lcg random(id);
    unsigned int count = 0;
    for (int i = 0; i < perThread; i++) {
        const float x = random(), y = random();
        count += x * x + y * y <= 1.0f ? 1 : 0;
    }
    mine[threadIdx.x] = count;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s; s /= 2) {
        if (threadIdx.x < s)
            mine[threadIdx.x] += mine[threadIdx.x + s];
        __syncthreads();
    }
    if (!threadIdx.x)
        atomicAdd(hits, (ull)mine[0]);
}

int main()
{
    const int blocks = 32, threads = 128, perThread = 256;
    ull *d_hits, hits = 0;
    CHECK(cudaMalloc(&d_hits, sizeof hits));
    CHECK(cudaMemcpy(d_hits, &hits, sizeof hits, cudaMemcpyHostToDevice));
    darts<<<blocks, threads, threads * sizeof(unsigned int)>>>(d_hits, perThread);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_hits));
    const double pi = 4.0 * hits / ((double)blocks * threads * perThread);
    printf("pi is about %.4f\n", pi);
    return report(fabs(pi - 3.14159265358979) < 0.01);
}
