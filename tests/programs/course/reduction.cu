// The classic seven steps of a sum: interleaved addressing with a divergent branch, with strided index,
// sequential addressing, the first addition during the load, the last warp unrolled, everything unrolled by a
// template, and several elements a thread.
#include "common.h"

const int MAX_BLOCK = 256;

/* 1: modulo, divergent */
__global__ void reduce0(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

/* 2: consecutive threads, strided index */
__global__ void reduce1(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

/* 3: sequential addressing */
__global__ void reduce2(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

/* 4: the first addition during the load */
__global__ void reduce3(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int mySum = (i < n) ? g_idata[i] : 0;
    if (i + blockDim.x < n)
        mySum += g_idata[i + blockDim.x];
    sdata[tid] = mySum;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] = mySum = mySum + sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = mySum;
}

__device__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    int v = sdata[tid];
    for (int s = 32; s > 0; s >>= 1) {
        v += sdata[tid + s];
        __syncwarp();
        sdata[tid] = v;
        __syncwarp();
    }
}

/* 5: the last warp needs no barrier of the whole block */
__global__ void reduce4(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = (i < n ? g_idata[i] : 0) + (i + blockDim.x < n ? g_idata[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32)
        warpReduce(sdata, tid);
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize> __device__ int lastWarp(const int *sdata, unsigned int tid)
{
    int sum = sdata[tid];
    if (blockSize >= 64)
        sum += sdata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

template <unsigned int blockSize> __device__ void inBlock(int *sdata, unsigned int tid, int *result)
{
    if (blockSize >= 512) {
        if (tid < 256)
            sdata[tid] += sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] += sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] += sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        int sum = lastWarp<blockSize>(sdata, tid);
        if (tid == 0)
            *result = sum;
    }
}

/* 6: all loops unrolled */
template <unsigned int blockSize> __global__ void reduce5(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    sdata[tid] = (i < n ? g_idata[i] : 0) + (i + blockSize < n ? g_idata[i + blockSize] : 0);
    __syncthreads();
    inBlock<blockSize>(sdata, tid, g_odata + blockIdx.x);
}

/* 7: several elements a thread */
template <unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(const int *g_idata, int *g_odata, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    int mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    inBlock<blockSize>(sdata, tid, g_odata + blockIdx.x);
}

template <int blockSize>
void launchTemplate(int which, int blocks, int smem, const int *in, int *out, unsigned int n)
{
    bool isPow2 = (n & (n - 1)) == 0;
    if (which == 5)
        reduce5<blockSize><<<blocks, blockSize, smem>>>(in, out, n);
    else if (isPow2)
        reduce6<blockSize, true><<<blocks, blockSize, smem>>>(in, out, n);
    else
        reduce6<blockSize, false><<<blocks, blockSize, smem>>>(in, out, n);
}

static void reduce(int which, int threads, int blocks, const int *d_idata, int *d_odata, unsigned int n)
{
    int smemSize = (threads <= 32 ? 2 * threads : threads) * sizeof(int) + 32 * sizeof(int);
    switch (which) {
    case 0:
        reduce0<<<blocks, threads, smemSize>>>(d_idata, d_odata, n);
        break;
    case 1:
        reduce1<<<blocks, threads, smemSize>>>(d_idata, d_odata, n);
        break;
    case 2:
        reduce2<<<blocks, threads, smemSize>>>(d_idata, d_odata, n);
        break;
    case 3:
        reduce3<<<blocks, threads, smemSize>>>(d_idata, d_odata, n);
        break;
    case 4:
        reduce4<<<blocks, threads, smemSize>>>(d_idata, d_odata, n);
        break;
    default:
        switch (threads) {
        case 256:
            launchTemplate<256>(which, blocks, smemSize, d_idata, d_odata, n);
            break;
        case 128:
            launchTemplate<128>(which, blocks, smemSize, d_idata, d_odata, n);
            break;
        case 64:
            launchTemplate<64>(which, blocks, smemSize, d_idata, d_odata, n);
            break;
        }
    }
}

int main()
{
    bool good = true;
    for (unsigned int n : {1u << 14, 10007u}) {
        std::vector<int> data(n);
        int expected = 0;
        for (unsigned int i = 0; i < n; i++) {
            data[i] = (i * 7919u) % 256;
            expected += data[i];
        }
        int *d_in, *d_out;
        CHECK(cudaMalloc(&d_in, n * sizeof(int)));
        CHECK(cudaMalloc(&d_out, n * sizeof(int)));
        CHECK(cudaMemcpy(d_in, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        for (int which = 0; which < 7; which++)
            for (int threads = 64; threads <= MAX_BLOCK; threads *= 2) {
                int blocks = which < 3    ? (n + threads - 1) / threads
                             : which == 6 ? 8
                                          : (n + (threads * 2 - 1)) / (threads * 2);
                std::vector<int> partial(blocks);
                reduce(which, threads, blocks, d_in, d_out, n);
                CHECK_KERNEL();
                CHECK(cudaMemcpy(partial.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
                int sum = 0;
                for (int p : partial)
                    sum += p;
                if (sum != expected)
                    printf("step %d, %d threads: %d, not %d\n", which + 1, threads, sum, expected);
                good &= sum == expected;
            }
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
    }
    return report(good);
}
