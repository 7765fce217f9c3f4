// CUB's reductions, scans, selections, partitions, runs and histograms of the device, beside the C++
// library's.
#include <cub/cub.cuh>

#include "device_array.h"

#include <algorithm>
#include <numeric>

struct Add {
    __host__ __device__ int operator()(int a, int b) const
    {
        return a + b;
    }
};
struct Larger {
    __host__ __device__ int operator()(int a, int b) const
    {
        return a < b ? b : a;
    }
};
struct Square {
    __host__ __device__ int operator()(int a) const
    {
        return a * a;
    }
};
struct Odd {
    __host__ __device__ bool operator()(int a) const
    {
        return a & 1;
    }
};
struct Positive {
    __host__ __device__ bool operator()(int a) const
    {
        return a > 0;
    }
};

static void test_reduce(int n)
{
    const std::vector<int> in = numbers(n, 1000, n + 1);
    Array<int> from(in), out(4);
    Array<unsigned char> bytes(std::vector<unsigned char>(n, 200));
    Array<cub::KeyValuePair<int, int>> pair(std::vector<cub::KeyValuePair<int, int>>(2));
    WITH_STORAGE(cub::DeviceReduce::Sum, from.p, out.p, n);
    WITH_STORAGE(cub::DeviceReduce::Sum, bytes.p, out.p + 1, n); // more than a byte can hold
    WITH_STORAGE(cub::DeviceReduce::TransformReduce, from.p, out.p + 2, n, Add(), Square(), 5);
    WITH_STORAGE(cub::DeviceReduce::Reduce, from.p, out.p + 3, n, Larger(), -5000);
    int squares = 5;
    for (int x : in)
        squares += x * x;
    const int most = n ? *std::max_element(in.begin(), in.end()) : -5000;
    same("reduce", out.back(), {std::accumulate(in.begin(), in.end(), 0), 200 * n, squares, most});
    WITH_STORAGE(cub::DeviceReduce::ArgMin, from.p, pair.p, n);
    WITH_STORAGE(cub::DeviceReduce::ArgMax, from.p, pair.p + 1, n);
    const auto extrema = pair.back();
    const auto least = std::min_element(in.begin(), in.end()),
               largest = std::max_element(in.begin(), in.end());
    std::vector<int> wanted{1, std::numeric_limits<int>::max(), 1, std::numeric_limits<int>::lowest()};
    if (n)
        wanted = {(int)(least - in.begin()), *least, (int)(largest - in.begin()), *largest};
    same("extrema", {extrema[0].key, extrema[0].value, extrema[1].key, extrema[1].value}, wanted);
}

static void test_scan(int n)
{
    std::vector<int> in = numbers(n, 1000, n + 2), keys(n), inclusive(n), exclusive(n), most(n), started(n),
                     within(n), before(n);
    std::vector<unsigned char> flags(n);
    std::vector<int> places(n);
    Random random(n);
    for (int i = 0; i < n; i++) {
        keys[i] = i ? keys[i - 1] + (random.next() % 5 == 0) : 0;
        flags[i] = random.next() % 256;
        const bool begins = i == 0 || keys[i] != keys[i - 1];
        exclusive[i] = i ? inclusive[i - 1] : 0;
        inclusive[i] = exclusive[i] + in[i];
        most[i] = i ? std::max(most[i - 1], in[i - 1]) : -5000;
        started[i] = std::max(in[i], i ? started[i - 1] : 10);
        within[i] = in[i] + (begins ? 0 : within[i - 1]);
        before[i] = begins ? 7 : before[i - 1] + in[i - 1];
        places[i] = flags[i] + (i ? places[i - 1] : 0);
    }
    Array<int> from(in), key(keys), out(n), data(in);
    Array<unsigned char> flag(flags);
    WITH_STORAGE(cub::DeviceScan::InclusiveSum, from.p, out.p, n);
    same("inclusive", out.back(), inclusive);
    WITH_STORAGE(cub::DeviceScan::ExclusiveSum, from.p, out.p, n);
    same("exclusive", out.back(), exclusive);
    WITH_STORAGE(cub::DeviceScan::ExclusiveScan, from.p, out.p, Larger(), -5000, n);
    same("most", out.back(), most);
    WITH_STORAGE(cub::DeviceScan::InclusiveScanInit, from.p, out.p, Larger(), 10, n);
    same("started", out.back(), started);
    WITH_STORAGE(cub::DeviceScan::InclusiveSum, flag.p, out.p, n); // sums of bytes are no bytes
    same("bytes", out.back(), places);
    WITH_STORAGE(cub::DeviceScan::InclusiveSumByKey, key.p, from.p, out.p, n);
    same("within", out.back(), within);
    WITH_STORAGE(cub::DeviceScan::ExclusiveScanByKey, key.p, from.p, out.p, Add(), 7, n);
    same("before", out.back(), before);
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cub::DeviceScan::ExclusiveSum(storage, bytes, data.p, n));
    CHECK(cudaMalloc(&storage, bytes + 1));
    CHECK(cub::DeviceScan::ExclusiveSum(storage, bytes, data.p, n)); // in place
    same("in place", data.back(), exclusive);
    CHECK(cudaFree(storage));
}

static void test_select(int n)
{
    const std::vector<int> in = numbers(n, 3, n + 3);
    std::vector<int> odd, marked, unique, runs, values, lengths, rest, first, second, third, offsets,
        long_lengths;
    std::vector<char> flags(n);
    Random random(n);
    for (int i = 0; i < n; i++) {
        flags[i] = random.next() & 1;
        if (in[i] & 1)
            odd.push_back(in[i]);
        (flags[i] ? marked : rest).push_back(in[i]);
        (Positive()(in[i]) ? first : Odd()(in[i]) ? second : third).push_back(in[i]);
        if (i == 0 || in[i] != in[i - 1]) {
            unique.push_back(in[i]);
            values.push_back(i);
            runs.push_back(0);
            lengths.push_back(0);
        }
        runs.back() += i;
        lengths.back()++;
    }
    for (size_t r = 0; r < lengths.size(); r++)
        if (lengths[r] > 1) {
            offsets.push_back(values[r]);
            long_lengths.push_back(lengths[r]);
        }
    std::vector<int> places(n);
    std::iota(places.begin(), places.end(), 0);
    Array<int> from(in), place(places), out(n), other(n), third_out(n), count(2);
    Array<char> flag(flags);
    WITH_STORAGE(cub::DeviceSelect::If, from.p, out.p, count.p, n, Odd());
    same("odd", out.back(count.back()[0]), odd);
    WITH_STORAGE(cub::DeviceSelect::Flagged, from.p, flag.p, out.p, count.p, n);
    same("marked", out.back(count.back()[0]), marked);
    WITH_STORAGE(cub::DeviceSelect::Unique, from.p, out.p, count.p, n);
    same("unique", out.back(count.back()[0]), unique);
    WITH_STORAGE(cub::DeviceSelect::UniqueByKey, from.p, place.p, out.p, other.p, count.p, n);
    same("unique keys", out.back(count.back()[0]), unique);
    same("their values", other.back(count.back()[0]), values);
    WITH_STORAGE(cub::DeviceReduce::ReduceByKey, from.p, out.p, place.p, other.p, count.p, Add(), n);
    same("reduced keys", out.back(count.back()[0]), unique);
    same("reduced", other.back(count.back()[0]), runs);
    WITH_STORAGE(cub::DeviceRunLengthEncode::Encode, from.p, out.p, other.p, count.p, n);
    same("encoded", out.back(count.back()[0]), unique);
    same("lengths", other.back(count.back()[0]), lengths);
    WITH_STORAGE(cub::DeviceRunLengthEncode::NonTrivialRuns, from.p, out.p, other.p, count.p, n);
    same("offsets", out.back(count.back()[0]), offsets);
    same("long lengths", other.back(count.back()[0]), long_lengths);
    WITH_STORAGE(cub::DevicePartition::Flagged, from.p, flag.p, out.p, count.p, n);
    marked.insert(marked.end(), rest.rbegin(), rest.rend());
    same("partition", out.back(), marked);
    WITH_STORAGE(cub::DevicePartition::If, from.p, out.p, other.p, third_out.p, count.p, n, Positive(),
                 Odd());
    same("first", out.back(count.back()[0]), first);
    same("second", other.back(count.back()[1]), second);
    same("third", third_out.back(third.size()), third);
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cub::DeviceSelect::If(storage, bytes, from.p, count.p, n, Odd()));
    CHECK(cudaMalloc(&storage, bytes + 1));
    CHECK(cub::DeviceSelect::If(storage, bytes, from.p, count.p, n, Odd())); // in place
    same("odd in place", from.back(count.back()[0]), odd);
    CHECK(cudaFree(storage));
}

static void test_histogram(int n)
{
    std::vector<float> samples(n);
    std::vector<unsigned char> pixels(4 * n);
    std::vector<int> even(7), between(3), colour(3 * 16);
    const std::vector<float> levels{-1, 0.25f, 2, 5};
    Random random(n);
    for (float &x : samples)
        x = random.uniform() * 8 - 2;
    for (unsigned char &x : pixels)
        x = random.next() % 256;
    for (float x : samples) {
        if (x >= 0 && x < 5)
            even[(int)(x * (7.0f / 5.0f))]++;
        for (int b = 0; b < 3; b++)
            between[b] += x >= levels[b] && x < levels[b + 1];
    }
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            colour[16 * c + pixels[4 * i + c] / 16]++;
    Array<float> from(samples), level(levels);
    Array<unsigned char> pixel(pixels);
    Array<int> bins(7), ranges(3), colours(48);
    WITH_STORAGE(cub::DeviceHistogram::HistogramEven, from.p, bins.p, 8, 0.0f, 5.0f, n);
    same("even", bins.back(), even);
    WITH_STORAGE(cub::DeviceHistogram::HistogramRange, from.p, ranges.p, 4, level.p, n);
    same("between", ranges.back(), between);
    int *counters[3] = {colours.p, colours.p + 16, colours.p + 32};
    int counts[3] = {17, 17, 17};
    unsigned lower[3] = {0, 0, 0}, upper[3] = {256, 256, 256};
    void *storage = nullptr;
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        CHECK((cub::DeviceHistogram::MultiHistogramEven<4, 3>(storage, bytes, pixel.p, counters, counts,
                                                              lower, upper, n)));
        if (i == 0)
            CHECK(cudaMalloc(&storage, bytes + 1));
    }
    same("colours", colours.back(), colour);
    CHECK(cudaFree(storage));
}

int main()
{
    for (int n : {0, 1, 31, 1000, 70001}) {
        test_reduce(n);
        test_scan(n);
        test_select(n);
        test_histogram(n);
    }
    return report(good);
}
