// CUB's algorithms for the device (reduce, scan, sort, select), a block and a warp, beside the C++ library's.
#include <cub/cub.cuh>

#include "common.h"

#include <algorithm>
#include <numeric>

struct larger {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
struct below {
    int limit;
    __host__ __device__ bool operator()(int x) const
    {
        return x < limit;
    }
};

/* The size query and the call. */
#define WITH_STORAGE(call)                                                                                   \
    do {                                                                                                     \
        void *storage = nullptr;                                                                             \
        size_t bytes = 0;                                                                                    \
        CHECK(call);                                                                                         \
        CHECK(cudaMalloc(&storage, bytes));                                                                  \
        CHECK(call);                                                                                         \
        CHECK(cudaFree(storage));                                                                            \
    } while (0)

__global__ void in_block(const int *in, int *sums, int *largest, int *scanned, int *warps, int n)
{
    using Reduce = cub::BlockReduce<int, 128>;
    using Scan = cub::BlockScan<int, 128>;
    using Warp = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage for_sum, for_largest;
    __shared__ typename Scan::TempStorage for_scan;
    __shared__ typename Warp::TempStorage for_warps[4];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const int value = i < n ? in[i] : 0;
    const int sum = Reduce(for_sum).Sum(value);
    const int most = Reduce(for_largest).Reduce(value, larger());
    int before;
    Scan(for_scan).ExclusiveSum(value, before);
    const int warp = Warp(for_warps[threadIdx.x / 32]).Sum(value);
    if (i < n)
        scanned[i] = before;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        largest[blockIdx.x] = most;
    }
    if (threadIdx.x % 32 == 0)
        warps[i / 32] = warp;
}

static std::vector<int> back(const int *p, int n)
{
    std::vector<int> h(n);
    CHECK(cudaMemcpy(h.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost));
    return h;
}

int main()
{
    const int n = 10007, blocks = (n + 127) / 128;
    std::vector<int> h(n), expected(n), places(n);
    unsigned seed = 1;
    for (int &x : h)
        x = (int)((seed = seed * 1664525 + 1013904223) >> 10) % 5000;
    int *in, *out, *places_in, *places_out, *one, *sums, *largest, *warps;
    for (int **p : {&in, &out, &places_in, &places_out, &one, &sums, &largest, &warps})
        CHECK(cudaMalloc(p, n * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    int errors = 0;

    const int total = std::accumulate(h.begin(), h.end(), 0);
    WITH_STORAGE(cub::DeviceReduce::Sum(storage, bytes, in, one, n));
    errors += back(one, 1)[0] != total;
    WITH_STORAGE(cub::DeviceReduce::Max(storage, bytes, in, one, n));
    errors += back(one, 1)[0] != *std::max_element(h.begin(), h.end());
    WITH_STORAGE(cub::DeviceReduce::Min(storage, bytes, in, one, n));
    errors += back(one, 1)[0] != *std::min_element(h.begin(), h.end());
    WITH_STORAGE(cub::DeviceReduce::Reduce(storage, bytes, in, one, n, larger(), 7000));
    errors += back(one, 1)[0] != 7000;

    std::exclusive_scan(h.begin(), h.end(), expected.begin(), 0);
    WITH_STORAGE(cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n));
    errors += back(out, n) != expected;
    std::inclusive_scan(h.begin(), h.end(), expected.begin(), larger());
    WITH_STORAGE(cub::DeviceScan::InclusiveScan(storage, bytes, in, out, larger(), n));
    errors += back(out, n) != expected;

    std::iota(places.begin(), places.end(), 0);
    CHECK(cudaMemcpy(places_in, places.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return h[a] < h[b]; });
    expected = h;
    std::sort(expected.begin(), expected.end());
    WITH_STORAGE(cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, places_in, places_out, n));
    errors += back(out, n) != expected || back(places_out, n) != places;
    std::reverse(expected.begin(), expected.end());
    WITH_STORAGE(cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in, out, n));
    errors += back(out, n) != expected;

    const below limit{1000};
    const int few = (int)std::count_if(h.begin(), h.end(), limit);
    expected.clear();
    std::copy_if(h.begin(), h.end(), std::back_inserter(expected), limit);
    WITH_STORAGE(cub::DeviceSelect::If(storage, bytes, in, out, one, n, limit));
    errors += back(one, 1)[0] != few || back(out, few) != expected;

    in_block<<<blocks, 128>>>(in, sums, largest, out, warps, n);
    CHECK_KERNEL();
    const std::vector<int> s = back(sums, blocks), l = back(largest, blocks), e = back(out, n),
                           w = back(warps, blocks * 4);
    for (int b = 0; b < blocks; b++) {
        const auto first = h.begin() + b * 128, last = h.begin() + std::min(n, b * 128 + 128);
        errors += s[b] != std::accumulate(first, last, 0) || l[b] != *std::max_element(first, last);
        errors += s[b] != w[4 * b] + w[4 * b + 1] + w[4 * b + 2] + w[4 * b + 3];
        for (auto at = first; at < last; at++)
            errors += e[at - h.begin()] != std::accumulate(first, at, 0);
    }
    for (int *p : {in, out, places_in, places_out, one, sums, largest, warps})
        cudaFree(p);
    printf("%d errors\n", errors);
    return errors != 0;
}
