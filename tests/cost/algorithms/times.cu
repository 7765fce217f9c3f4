/**
 * @file times.cu
 * @brief What algorithms of Thrust and CUB take between two events, temporary memory of Thrust's included:
 * the least of six calls. A line each: name, elements, microseconds. One source for a GPU and the simulator.
 */
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct is_odd {
    __host__ __device__ bool operator()(int x) const
    {
        return x & 1;
    }
};
struct square {
    __host__ __device__ int operator()(int x) const
    {
        return x * x;
    }
};
struct by_low_digits {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return (a & 0xffff) < (b & 0xffff);
    }
};

static thrust::device_vector<int> given, ordered, v, w, k;
static cudaEvent_t begun, ended;

template <class F> void timed(const char *name, const thrust::device_vector<int> &from, F work)
{
    float best = 1e9;
    for (int i = 0; i < 6; i++) {
        v = from;
        cudaDeviceSynchronize();
        cudaEventRecord(begun);
        work();
        cudaEventRecord(ended);
        cudaEventSynchronize(ended);
        float ms;
        cudaEventElapsedTime(&ms, begun, ended);
        best = ms < best ? ms : best;
    }
    printf("%s %d %.1f\n", name, (int)from.size(), best * 1e3);
}

// CUB's calls are made twice: the first says how much memory the second one takes.
template <class F> void timed_cub(const char *name, F call)
{
    void *memory = nullptr;
    size_t bytes = 0;
    call(memory, bytes);
    cudaMalloc(&memory, bytes);
    timed(name, given, [&] { call(memory, bytes); });
    cudaFree(memory);
}

static void thrusts()
{
    volatile long sink;
    timed("sort", given, [&] { thrust::sort(v.begin(), v.end()); });
    timed("sort_greater", given, [&] { thrust::sort(v.begin(), v.end(), thrust::greater<int>()); });
    timed("sort_by_function", given, [&] { thrust::stable_sort(v.begin(), v.end(), by_low_digits()); });
    timed("sort_by_key", given, [&] { thrust::sort_by_key(v.begin(), v.end(), w.begin()); });
    timed("reduce", given, [&] { sink = thrust::reduce(v.begin(), v.end()); });
    timed("transform_reduce", given,
          [&] { sink = thrust::transform_reduce(v.begin(), v.end(), square(), 0, thrust::plus<int>()); });
    timed("inner_product", given, [&] { sink = thrust::inner_product(v.begin(), v.end(), w.begin(), 0); });
    timed("count_if", given, [&] { sink = thrust::count_if(v.begin(), v.end(), is_odd()); });
    timed("max_element", given, [&] { sink = thrust::max_element(v.begin(), v.end()) - v.begin(); });
    timed("inclusive_scan", given, [&] { thrust::inclusive_scan(v.begin(), v.end(), w.begin()); });
    timed("exclusive_scan", given, [&] { thrust::exclusive_scan(v.begin(), v.end(), w.begin()); });
    timed("transform", given, [&] { thrust::transform(v.begin(), v.end(), w.begin(), square()); });
    timed("copy_if", given, [&] { thrust::copy_if(v.begin(), v.end(), w.begin(), is_odd()); });
    timed("unique", ordered, [&] { thrust::unique(v.begin(), v.end()); });
    timed("reduce_by_key", ordered,
          [&] { thrust::reduce_by_key(v.begin(), v.end(), given.begin(), k.begin(), w.begin()); });
    const size_t half = v.size() / 2;
    timed("merge", ordered,
          [&] { thrust::merge(v.begin(), v.begin() + half, v.begin() + half, v.end(), w.begin()); });
}

static void cubs()
{
    const int n = (int)given.size();
    int *in = thrust::raw_pointer_cast(v.data()), *out = thrust::raw_pointer_cast(w.data());
    int *other = thrust::raw_pointer_cast(k.data()), *more = thrust::raw_pointer_cast(ordered.data());
    timed_cub("DeviceRadixSort::SortKeys", [=](void *memory, size_t &bytes) {
        cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n);
    });
    timed_cub("DeviceRadixSort::SortPairs", [=](void *memory, size_t &bytes) {
        cub::DeviceRadixSort::SortPairs(memory, bytes, in, out, more, other, n);
    });
    timed_cub("DeviceReduce::Sum",
              [=](void *memory, size_t &bytes) { cub::DeviceReduce::Sum(memory, bytes, in, out, n); });
    timed_cub("DeviceScan::InclusiveSum",
              [=](void *memory, size_t &bytes) { cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n); });
    timed_cub("DeviceScan::ExclusiveSum",
              [=](void *memory, size_t &bytes) { cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, n); });
    timed_cub("DeviceSelect::If", [=](void *memory, size_t &bytes) {
        cub::DeviceSelect::If(memory, bytes, in, out, other, n, is_odd());
    });
}

int main(int argc, char **argv)
{
    cudaEventCreate(&begun);
    cudaEventCreate(&ended);
    for (int i = 1; i < argc; i++) {
        const int n = atoi(argv[i]);
        thrust::host_vector<int> h(n);
        unsigned state = 1;
        for (int j = 0; j < n; j++)
            h[j] = (int)((state = state * 1664525u + 1013904223u) >> 3);
        given = h;
        for (int j = 0; j < n; j++)
            h[j] = j / 3;
        ordered = h;
        w = k = given;
        v = given;
        thrusts();
        cubs();
    }
    for (auto *each : {&given, &ordered, &v, &w, &k}) { // before the GPU is gone
        each->clear();
        each->shrink_to_fit();
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
