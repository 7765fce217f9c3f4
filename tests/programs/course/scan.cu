// Prefix sums: Hillis and Steele's inclusive scan and Blelloch's exclusive scan of one block, then arrays of
// any length by scanning the blocks' sums.
#include "common.h"

const int BLOCK = 256;

__global__ void hillisSteele(int *out, const int *in, int n)
{
    extern __shared__ int temp[]; // two buffers of n
    int tid = threadIdx.x, pout = 0, pin = 1;
    temp[tid] = tid < n ? in[tid] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (tid >= offset)
            temp[pout * blockDim.x + tid] =
                temp[pin * blockDim.x + tid] + temp[pin * blockDim.x + tid - offset];
        else
            temp[pout * blockDim.x + tid] = temp[pin * blockDim.x + tid];
        __syncthreads();
    }
    if (tid < n)
        out[tid] = temp[pout * blockDim.x + tid];
}

// Each block of BLOCK threads scans 2 * BLOCK elements and leaves its sum.
__global__ void blelloch(int *out, const int *in, int *sums, int n)
{
    __shared__ int temp[2 * BLOCK];
    const int thid = threadIdx.x, base = 2 * BLOCK * blockIdx.x;
    temp[2 * thid] = base + 2 * thid < n ? in[base + 2 * thid] : 0;
    temp[2 * thid + 1] = base + 2 * thid + 1 < n ? in[base + 2 * thid + 1] : 0;

    int offset = 1;
    for (int d = BLOCK; d > 0; d >>= 1) { // up
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) {
        if (sums != nullptr)
            sums[blockIdx.x] = temp[2 * BLOCK - 1];
        temp[2 * BLOCK - 1] = 0;
    }
    for (int d = 1; d < 2 * BLOCK; d *= 2) { // down
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (base + 2 * thid < n)
        out[base + 2 * thid] = temp[2 * thid];
    if (base + 2 * thid + 1 < n)
        out[base + 2 * thid + 1] = temp[2 * thid + 1];
}

__global__ void addSums(int *out, const int *sums, int n)
{
    int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] += sums[blockIdx.x];
    if (i + BLOCK < n)
        out[i + BLOCK] += sums[blockIdx.x];
}

static void exclusiveScan(int *d_out, const int *d_in, int n)
{
    int blocks = blocks_for(n, 2 * BLOCK);
    if (blocks == 1) {
        blelloch<<<1, BLOCK>>>(d_out, d_in, nullptr, n);
        return;
    }
    int *d_sums, *d_offsets;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    CHECK(cudaMalloc(&d_offsets, blocks * sizeof(int)));
    blelloch<<<blocks, BLOCK>>>(d_out, d_in, d_sums, n);
    exclusiveScan(d_offsets, d_sums, blocks);
    addSums<<<blocks, BLOCK>>>(d_out, d_offsets, n);
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_offsets));
}

static bool run(int n)
{
    std::vector<int> in(n), out(n), expected(n);
    Random random(n);
    for (int i = 0, sum = 0; i < n; i++) {
        in[i] = random.next() % 10;
        expected[i] = sum;
        sum += in[i];
    }
    int *d_in, *d_out;
    size_t bytes = n * sizeof(int);
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
    exclusiveScan(d_out, d_in, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    bool good = out == expected;
    if (n <= 1024) {
        int threads = n <= 32 ? 32 : n <= 512 ? 512 : 1024;
        hillisSteele<<<1, threads, 2 * threads * sizeof(int)>>>(d_out, d_in, n);
        CHECK_KERNEL();
        CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++)
            good &= out[i] == expected[i] + in[i];
    }
    printf("%8d elements: %s\n", n, good ? "ok" : "wrong");
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return good;
}

int main()
{
    bool good = true;
    for (int n : {1, 31, 512, 513, 1000, 100000})
        good &= run(n);
    return report(good);
}
