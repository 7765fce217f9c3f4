// CUB's sorts, merges, segments, batched copies and loops of the device, beside the C++ library's.
#include <cub/cub.cuh>
#include <cub/device/device_transform.cuh>

#include "device_array.h"

#include <algorithm>
#include <numeric>

struct Later {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return b < a;
    }
};
struct Minus {
    __host__ __device__ int operator()(int a, int b) const
    {
        return a - b;
    }
};

// Sorts by some of the bits, of numbers of several types, with a value for each.
template <class K> static void test_radix(int n, int first_bit, int end_bit)
{
    Random random(n + first_bit);
    std::vector<K> keys(n);
    for (K &key : keys)
        key = (K)((int)(random.next() % 2000) - (std::is_signed<K>::value ? 1000 : 0)) / (K)2;
    std::vector<int> values(n), order(n);
    std::iota(values.begin(), values.end(), 0);
    const bool all = first_bit == 0 && end_bit == (int)sizeof(K) * 8;
    for (bool down : {false, true}) {
        const auto digits = [&](int i) {
            return (long long)keys[i] >> first_bit & ((1ll << (end_bit - first_bit)) - 1);
        };
        const auto precedes = [&](int a, int b) { return all ? keys[a] < keys[b] : digits(a) < digits(b); };
        order = values;
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return down ? precedes(b, a) : precedes(a, b); });
        std::vector<K> sorted(n);
        for (int i = 0; i < n; i++)
            sorted[i] = keys[order[i]];
        Array<K> in(keys), out(n);
        Array<int> value(values), value_out(n);
        if (down)
            WITH_STORAGE(cub::DeviceRadixSort::SortPairsDescending, in.p, out.p, value.p, value_out.p, n,
                         first_bit, end_bit);
        else
            WITH_STORAGE(cub::DeviceRadixSort::SortPairs, in.p, out.p, value.p, value_out.p, n, first_bit,
                         end_bit);
        same("keys", out.back(), sorted);
        same("values", value_out.back(), order);
        same("input", in.back(), keys);
        cub::DoubleBuffer<K> both(in.p, out.p);
        if (down)
            WITH_STORAGE(cub::DeviceRadixSort::SortKeysDescending, both, n, first_bit, end_bit);
        else
            WITH_STORAGE(cub::DeviceRadixSort::SortKeys, both, n, first_bit, end_bit);
        std::vector<K> got(n);
        CHECK(cudaMemcpy(got.data(), both.Current(), n * sizeof(K), cudaMemcpyDeviceToHost));
        same("double buffer", got, sorted);
    }
}

static void test_merges(int n)
{
    const std::vector<int> in = numbers(n, 100, n + 4);
    std::vector<int> values(n), order(n), sorted = in;
    std::iota(values.begin(), values.end(), 0);
    order = values;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[b] < in[a]; });
    std::stable_sort(sorted.begin(), sorted.end(), Later());
    Array<int> key(in), value(values), out(2 * n), value_out(2 * n);
    WITH_STORAGE(cub::DeviceMergeSort::SortKeysCopy, key.p, out.p, n, Later());
    same("copied", out.back(n), sorted);
    WITH_STORAGE(cub::DeviceMergeSort::StableSortKeys, out.p, n, Later());
    same("sorted again", out.back(n), sorted);
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cub::DeviceMergeSort::StableSortPairs(storage, bytes, key.p, value.p, n, Later()));
    CHECK(cudaMalloc(&storage, bytes + 1));
    CHECK(cub::DeviceMergeSort::StableSortPairs(storage, bytes, key.p, value.p, n, Later()));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(storage));
    same("merge sort", key.back(), sorted);
    same("its values", value.back(), order);
    const int half = n / 3;
    std::vector<int> merged(n);
    std::vector<int> a(sorted.begin(), sorted.begin() + half), b(sorted.begin() + half, sorted.end());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin(), Later());
    Array<int> left(a), right(b);
    WITH_STORAGE(cub::DeviceMerge::MergeKeys, left.p, (int)a.size(), right.p, (int)b.size(), out.p, Later());
    same("merge", out.back(n), merged);
    std::vector<int> left_difference(n), right_difference(n);
    for (int i = 0; i < n; i++) {
        left_difference[i] = i ? in[i] - in[i - 1] : in[i];
        right_difference[i] = i < n - 1 ? in[i] - in[i + 1] : in[i];
    }
    Array<int> data(in);
    WITH_STORAGE(cub::DeviceAdjacentDifference::SubtractRightCopy, data.p, out.p, n, Minus());
    same("right", out.back(n), right_difference);
    WITH_STORAGE(cub::DeviceAdjacentDifference::SubtractLeftCopy, data.p, out.p, n, Minus());
    same("left", out.back(n), left_difference);
}

static void test_segments(int n)
{
    const std::vector<int> in = numbers(n, 100, n + 5);
    std::vector<int> offsets{0}, values(n), sums, sorted = in, down = in, order(n), least;
    Random random(n);
    while (offsets.back() < n) // some are empty
        offsets.push_back(std::min<int>(n, offsets.back() + random.next() % 40));
    offsets.push_back(n);
    const int segments = (int)offsets.size() - 1;
    std::iota(values.begin(), values.end(), 0);
    order = values;
    for (int s = 0; s < segments; s++) {
        const int begin = offsets[s], end = offsets[s + 1];
        sums.push_back(std::accumulate(in.begin() + begin, in.begin() + end, 0));
        const auto smallest = std::min_element(in.begin() + begin, in.begin() + end);
        least.push_back(begin == end ? 1 : (int)(smallest - in.begin()) - begin);
        std::sort(sorted.begin() + begin, sorted.begin() + end);
        std::sort(down.begin() + begin, down.begin() + end, Later());
        std::stable_sort(order.begin() + begin, order.begin() + end,
                         [&](int a, int b) { return in[a] < in[b]; });
    }
    Array<int> from(in), offset(offsets), value(values), out(n), value_out(n), sum(segments);
    Array<cub::KeyValuePair<int, int>> pair(std::vector<cub::KeyValuePair<int, int>>((size_t)segments));
    WITH_STORAGE(cub::DeviceSegmentedReduce::Sum, from.p, sum.p, segments, offset.p, offset.p + 1);
    same("sums", sum.back(), sums);
    WITH_STORAGE(cub::DeviceSegmentedReduce::ArgMin, from.p, pair.p, segments, offset.p, offset.p + 1);
    std::vector<int> got;
    for (const auto &p : pair.back())
        got.push_back(p.key);
    same("least", got, least);
    WITH_STORAGE(cub::DeviceSegmentedSort::SortKeys, from.p, out.p, n, segments, offset.p, offset.p + 1);
    same("segmented sort", out.back(), sorted);
    WITH_STORAGE(cub::DeviceSegmentedRadixSort::SortKeysDescending, from.p, out.p, n, segments, offset.p,
                 offset.p + 1);
    same("segmented radix sort", out.back(), down);
    WITH_STORAGE(cub::DeviceSegmentedSort::StableSortPairs, from.p, out.p, value.p, value_out.p, n, segments,
                 offset.p, offset.p + 1);
    same("pairs", out.back(), sorted);
    same("their values", value_out.back(), order);
    // the segments of an array as batches to copy, to the other end of another one
    std::vector<int *> to;
    std::vector<const int *> begins;
    std::vector<int> sizes, counts, copied(n);
    for (int s = 0; s < segments; s++) {
        begins.push_back(from.p + offsets[s]);
        to.push_back(out.p + n - offsets[s + 1]);
        counts.push_back(offsets[s + 1] - offsets[s]);
        sizes.push_back(counts.back() * (int)sizeof(int));
        std::copy(in.begin() + offsets[s], in.begin() + offsets[s + 1], copied.begin() + n - offsets[s + 1]);
    }
    Array<const int *> sources(begins);
    Array<int *> targets(to);
    Array<int> size(sizes), count(counts);
    CHECK(cudaMemset(out.p, 0, n * sizeof(int)));
    WITH_STORAGE(cub::DeviceMemcpy::Batched, sources.p, targets.p, size.p, segments);
    same("buffers", out.back(), copied);
    CHECK(cudaMemset(out.p, 0, n * sizeof(int)));
    WITH_STORAGE(cub::DeviceCopy::Batched, sources.p, targets.p, count.p, segments);
    same("ranges", out.back(), copied);
}

struct Store {
    int *p;
    __host__ __device__ void operator()(int i) const
    {
        p[i] = 3 * i;
    }
};
struct Twice {
    __host__ __device__ void operator()(int &x) const
    {
        x *= 2;
    }
};

static void test_for(int n)
{
    std::vector<int> six(n), difference(n);
    for (int i = 0; i < n; i++) {
        six[i] = 6 * i;
        difference[i] = six[i] - i;
    }
    std::vector<int> places(n);
    std::iota(places.begin(), places.end(), 0);
    Array<int> out(n), place(places), result(n);
    CHECK(cub::DeviceFor::Bulk(n, Store{out.p}));
    CHECK(cub::DeviceFor::ForEachN(out.p, n, Twice()));
    same("for", out.back(), six);
    CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(out.p, place.p), result.p, n, Minus()));
    same("transform", result.back(), difference);
}

int main()
{
    for (int n : {1, 31, 1000, 9001}) {
        test_radix<int>(n, 0, 32);
        test_radix<unsigned>(n, 2, 7);
        test_radix<float>(n, 0, 32);
        test_radix<unsigned char>(n, 0, 8);
        test_radix<long long>(n, 0, 64);
        test_merges(n);
        test_segments(n);
        test_for(n);
    }
    return report(good);
}
