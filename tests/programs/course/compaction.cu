// Keeping the elements that pass a test, in three ways: an atomic each, one atomic a warp (ballot and
// population count), and in order by scans of warps. Votes and matches on the side.
#include "common.h"
#include <algorithm>

__device__ __forceinline__ bool keep(int v)
{
    return v % 3 == 0;
}

__global__ void filterAtomic(int *dst, int *nres, const int *src, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && keep(src[i]))
        dst[atomicAdd(nres, 1)] = src[i];
}

// warp-aggregated atomic increment, by those lanes that are here
__device__ int atomicAggInc(int *ctr)
{
    unsigned int active = __activemask();
    int leader = __ffs(active) - 1;
    int change = __popc(active);
    unsigned int rank = __popc(active & ((1u << (threadIdx.x & 31)) - 1));
    int warp_res;
    if (rank == 0)
        warp_res = atomicAdd(ctr, change);
    warp_res = __shfl_sync(active, warp_res, leader);
    return warp_res + rank;
}

__global__ void filterAggregated(int *dst, int *nres, const int *src, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    if (keep(src[i]))
        dst[atomicAggInc(nres)] = src[i];
}

__device__ int warpScan(int value, int lane)
{
    for (int offset = 1; offset < 32; offset <<= 1) {
        int n = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset)
            value += n;
    }
    return value;
}

// One block, all elements, in order.
__global__ void filterInOrder(int *dst, int *nres, const int *src, int n)
{
    __shared__ int warpTotals[32], base;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (threadIdx.x == 0)
        base = 0;
    for (int start = 0; start < n; start += blockDim.x) {
        const int i = start + threadIdx.x;
        const bool wanted = i < n && keep(src[i]);
        const unsigned int votes = __ballot_sync(0xffffffffu, wanted);
        if (lane == 0)
            warpTotals[warp] = __popc(votes);
        __syncthreads();
        if (warp == 0)
            warpTotals[lane] = warpScan(lane < blockDim.x / 32 ? warpTotals[lane] : 0, lane);
        __syncthreads();
        const int before = base + (warp > 0 ? warpTotals[warp - 1] : 0);
        if (wanted)
            dst[before + __popc(votes & ((1u << lane) - 1))] = src[i];
        __syncthreads();
        if (threadIdx.x == 0)
            base += warpTotals[31];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *nres = base;
}

__global__ void votes(const int *src, int *out)
{
    const int v = src[threadIdx.x];
    const unsigned int full = 0xffffffffu;
    int all = __all_sync(full, v >= 0), any = __any_sync(full, v > 1000000);
    unsigned int same = __match_any_sync(full, v % 4);
    int pred, everyone = __match_all_sync(full, 7, &pred) == full && pred;
    out[threadIdx.x] = (all ? 1 : 0) + (any ? 2 : 0) + (everyone ? 4 : 0) + 8 * __popc(same);
}

int main()
{
    const int n = 5000;
    std::vector<int> src(n), expected, dst(n);
    Random random(6);
    for (int &v : src) {
        v = random.next() % 1000;
        if (v % 3 == 0)
            expected.push_back(v);
    }
    std::vector<int> sorted = expected;
    std::sort(sorted.begin(), sorted.end());
    int *d_src, *d_dst, *d_count, count;
    CHECK(cudaMalloc(&d_src, n * sizeof(int)));
    CHECK(cudaMalloc(&d_dst, n * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMemcpy(d_src, src.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    bool good = true;
    for (int version = 0; version < 3; version++) {
        CHECK(cudaMemset(d_count, 0, sizeof(int)));
        if (version == 0)
            filterAtomic<<<(n + 127) / 128, 128>>>(d_dst, d_count, d_src, n);
        else if (version == 1)
            filterAggregated<<<(n + 127) / 128, 128>>>(d_dst, d_count, d_src, n);
        else
            filterInOrder<<<1, 256>>>(d_dst, d_count, d_src, n);
        CHECK_KERNEL();
        CHECK(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
        dst.resize(count);
        CHECK(cudaMemcpy(dst.data(), d_dst, count * sizeof(int), cudaMemcpyDeviceToHost));
        if (version < 2)
            std::sort(dst.begin(), dst.end());
        bool same = dst == (version < 2 ? sorted : expected);
        printf("version %d: %d of %d kept: %s\n", version, count, n, same ? "ok" : "wrong");
        good &= same;
    }
    std::vector<int> four(32), result(32);
    for (int i = 0; i < 32; i++)
        four[i] = i;
    CHECK(cudaMemcpy(d_src, four.data(), 32 * sizeof(int), cudaMemcpyHostToDevice));
    votes<<<1, 32>>>(d_src, d_dst);
    CHECK(cudaMemcpy(result.data(), d_dst, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int r : result)
        good &= r == 1 + 4 + 8 * 8;
    CHECK(cudaFree(d_src));
    CHECK(cudaFree(d_dst));
    CHECK(cudaFree(d_count));
    return report(good);
}
