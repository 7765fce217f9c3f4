// CUB's block-wide loads, exchanges, sorts, flags and histograms, in blocks of several shapes, beside plain
// loops.
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include "device_array.h"

#include <algorithm>
#include <numeric>

constexpr int ITEMS = 4;

// Each block moves one tile: the last one is not full.
template <int X, int Y, int Z, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
__global__ void move(const int *in, int *out, int *padded, int n)
{
    using Load = cub::BlockLoad<int, X, ITEMS, LOAD, Y, Z>;
    using Store = cub::BlockStore<int, X, ITEMS, STORE, Y, Z>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } temp;
    constexpr int tile = X * Y * Z * ITEMS;
    const int begin = blockIdx.x * tile, valid = min(tile, n - begin);
    int items[ITEMS];
    if (valid == tile)
        Load(temp.load).Load(in + begin, items);
    else
        Load(temp.load).Load(in + begin, items, valid, -7);
    int copy[ITEMS]; // a transposing store leaves its items in another order
    for (int i = 0; i < ITEMS; i++)
        copy[i] = items[i];
    __syncthreads();
    Store(temp.store).Store(padded + begin, copy);
    __syncthreads();
    Store(temp.store).Store(out + begin, items, valid);
}

template <int X, int Y, int Z, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
static void test_move(const char *what, int n)
{
    const int tile = X * Y * Z * ITEMS, blocks = (n + tile - 1) / tile;
    const std::vector<int> in = numbers(n, 1000, n);
    std::vector<int> all = in;
    all.resize((size_t)blocks * tile, -7);
    Array<int> from(in), out(n), padded((size_t)blocks * tile);
    move<X, Y, Z, LOAD, STORE><<<blocks, dim3(X, Y, Z)>>>(from.p, out.p, padded.p, n);
    CHECK_KERNEL();
    same(what, out.back(), in);
    same(what, padded.back(), all);
}

template <int X, int Y, int Z> static void test_moves(int n)
{
    test_move<X, Y, Z, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>("direct", n);
    test_move<X, Y, Z, cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped", n);
    test_move<X, Y, Z, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectors", n);
    test_move<X, Y, Z, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("transposed", n);
    test_move<X, Y, Z, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>("by warps", n);
    test_move<X, Y, Z, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_DIRECT>("in turns", n);
}

// in: the block's items; out: [striped, warp-striped, scattered, scattered striped, there and back] of them
template <int X, int Y> __global__ void exchange(const int *in, const int *ranks, int *out)
{
    using Exchange = cub::BlockExchange<int, X, ITEMS, false, Y>;
    __shared__ typename Exchange::TempStorage temp;
    constexpr int n = X * Y * ITEMS;
    const int thread = cub::RowMajorTid(X, Y, 1);
    int items[ITEMS], got[ITEMS], where[ITEMS];
    cub::LoadDirectBlocked(thread, in, items);
    cub::LoadDirectBlocked(thread, ranks, where);
    Exchange(temp).BlockedToStriped(items, got);
    cub::StoreDirectBlocked(thread, out, got);
    __syncthreads();
    Exchange(temp).StripedToBlocked(got);
    cub::StoreDirectBlocked(thread, out + 4 * n, got);
    __syncthreads();
    Exchange(temp).BlockedToWarpStriped(items, got);
    cub::StoreDirectBlocked(thread, out + n, got);
    __syncthreads();
    Exchange(temp).ScatterToBlocked(items, got, where);
    cub::StoreDirectBlocked(thread, out + 2 * n, got);
    __syncthreads();
    Exchange(temp).ScatterToStriped(items, got, where);
    cub::StoreDirectBlocked(thread, out + 3 * n, got);
}

template <int X, int Y> static void test_exchange()
{
    constexpr int threads = X * Y, n = threads * ITEMS;
    const std::vector<int> in = numbers(n, 10000, n);
    std::vector<int> ranks(n), wanted(5 * n);
    for (int i = 0; i < n; i++)
        ranks[i] = (i * 37 + 5) % n; // 37 and n have no common divisor
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < ITEMS; i++) {
            const int at = t * ITEMS + i, striped = i * threads + t;
            wanted[at] = in[striped];
            wanted[n + at] = in[t / 32 * 32 * ITEMS + i * 32 + t % 32];
            wanted[2 * n + ranks[at]] = in[at];
            wanted[4 * n + at] = in[at];
        }
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < ITEMS; i++)
            wanted[3 * n + t * ITEMS + i] = wanted[2 * n + i * threads + t];
    Array<int> from(in), where(ranks), out(5 * n);
    exchange<X, Y><<<1, dim3(X, Y)>>>(from.p, where.p, out.p);
    CHECK_KERNEL();
    same("exchange", out.back(), wanted);
}

struct Later {
    template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const
    {
        return b < a;
    }
};

enum Order { UP, DOWN, BITS, STRIPED, MERGE };

// Sorts one block's keys, and their numbers with them.
template <class K, int X, int Y, Order ORDER> __global__ void sort(K *keys, int *values, int valid, K last)
{
    using Radix = cub::BlockRadixSort<K, X, ITEMS, int, 4, true, cub::BLOCK_SCAN_WARP_SCANS,
                                      cudaSharedMemBankSizeFourByte, Y>;
    using Merge = cub::BlockMergeSort<K, X, ITEMS, int, Y>;
    __shared__ typename Radix::TempStorage radix;
    __shared__ typename Merge::TempStorage merge;
    const int thread = cub::RowMajorTid(X, Y, 1);
    K key[ITEMS];
    int value[ITEMS];
    cub::LoadDirectBlocked(thread, keys, key);
    cub::LoadDirectBlocked(thread, values, value);
    if (ORDER == UP)
        Radix(radix).Sort(key, value);
    else if (ORDER == DOWN)
        Radix(radix).SortDescending(key, value);
    else if (ORDER == BITS)
        Radix(radix).Sort(key, value, 3, 9);
    else if (ORDER == STRIPED)
        Radix(radix).SortBlockedToStriped(key, value);
    else
        Merge(merge).StableSort(key, value, Later(), valid, last);
    if (ORDER == STRIPED) {
        cub::StoreDirectStriped<X * Y>(thread, keys, key);
        cub::StoreDirectStriped<X * Y>(thread, values, value);
    } else {
        cub::StoreDirectBlocked(thread, keys, key);
        cub::StoreDirectBlocked(thread, values, value);
    }
}

template <class K> static int bits_3_to_9(K key)
{
    return (int)((long long)key >> 3 & 63);
}

template <class K, int X, int Y, Order ORDER> static void test_sort(const char *what, int valid, K last)
{
    const int n = X * Y * ITEMS;
    Random random(n + ORDER);
    std::vector<K> keys(n), sorted(n);
    std::vector<int> values(n), order(n);
    for (K &key : keys)
        key = (K)((int)(random.next() % 600) - (std::is_signed<K>::value ? 300 : 0));
    std::iota(values.begin(), values.end(), 0);
    order = values;
    std::stable_sort(order.begin(), order.begin() + valid, [&](int a, int b) {
        return ORDER == BITS                     ? bits_3_to_9(keys[a]) < bits_3_to_9(keys[b])
               : ORDER == DOWN || ORDER == MERGE ? keys[b] < keys[a]
                                                 : keys[a] < keys[b];
    });
    for (int i = 0; i < n; i++)
        sorted[i] = i < valid ? keys[order[i]] : last;
    Array<K> k(keys);
    Array<int> v(values);
    sort<K, X, Y, ORDER><<<1, dim3(X, Y)>>>(k.p, v.p, valid, last);
    CHECK_KERNEL();
    sorted.resize(valid); // what is not valid may be anything behind the sort, here and on a GPU
    same(what, k.back(valid), sorted);
    order.resize(valid);
    same(what, v.back(valid), order);
}

template <class K, int X, int Y> static void test_sorts()
{
    const int n = X * Y * ITEMS;
    test_sort<K, X, Y, UP>("up", n, K());
    test_sort<K, X, Y, DOWN>("down", n, K());
    test_sort<K, X, Y, STRIPED>("striped", n, K());
    test_sort<K, X, Y, MERGE>("merge", n, K());
    test_sort<K, X, Y, MERGE>("merge, not full", n - 5, std::numeric_limits<K>::lowest());
}

struct Differ {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a != b;
    }
};
struct Minus {
    __host__ __device__ int operator()(int a, int b) const
    {
        return a - b;
    }
};

// out: heads, tails, heads with an item before, tails with one after, differences to both sides, and shuffles
template <int X, int Y> __global__ void neighbours(const int *in, int *out, int *bins)
{
    using Flags = cub::BlockDiscontinuity<int, X, Y>;
    using Differences = cub::BlockAdjacentDifference<int, X, Y>;
    using Shuffle = cub::BlockShuffle<int, X, Y>;
    using Histogram = cub::BlockHistogram<int, X, ITEMS, 16, cub::BLOCK_HISTO_SORT, Y>;
    using Atomic = cub::BlockHistogram<int, X, ITEMS, 16, cub::BLOCK_HISTO_ATOMIC, Y>;
    __shared__ typename Flags::TempStorage flags;
    __shared__ typename Differences::TempStorage differences;
    __shared__ typename Shuffle::TempStorage shuffle;
    __shared__ typename Histogram::TempStorage histogram;
    __shared__ typename Atomic::TempStorage atomic;
    __shared__ int counted[16];
    constexpr int n = X * Y * ITEMS;
    const int thread = cub::RowMajorTid(X, Y, 1);
    int items[ITEMS], heads[ITEMS], tails[ITEMS], got[ITEMS] = {};
    cub::LoadDirectBlocked(thread, in, items);
    Flags(flags).FlagHeadsAndTails(heads, tails, items, Differ());
    cub::StoreDirectBlocked(thread, out, heads);
    cub::StoreDirectBlocked(thread, out + n, tails);
    __syncthreads();
    Flags(flags).FlagHeads(heads, items, got, Differ(), 3);
    cub::StoreDirectBlocked(thread, out + 2 * n, heads);
    cub::StoreDirectBlocked(thread, out + 3 * n, got);
    __syncthreads();
    Flags(flags).FlagTails(tails, items, Differ(), 3);
    cub::StoreDirectBlocked(thread, out + 4 * n, tails);
    Differences(differences).SubtractLeft(items, got, Minus());
    cub::StoreDirectBlocked(thread, out + 5 * n, got);
    __syncthreads();
    Differences(differences).SubtractRightPartialTile(items, got, Minus(), n - 6);
    cub::StoreDirectBlocked(thread, out + 6 * n, got);
    int last, rotated, beyond = -1;
    Shuffle(shuffle).Up(items, got, last);
    if (thread == 0)
        got[0] = last;
    cub::StoreDirectBlocked(thread, out + 7 * n, got);
    __syncthreads();
    Shuffle(shuffle).Rotate(items[0], rotated, 5);
    __syncthreads();
    Shuffle(shuffle).Offset(items[0], beyond, -3);
    out[8 * n + thread] = rotated;
    out[8 * n + X * Y + thread] = beyond;
    Histogram(histogram).Histogram(items, counted);
    __syncthreads();
    Atomic(atomic).Composite(items, counted);
    __syncthreads();
    if (thread < 16)
        bins[thread] = counted[thread];
}

template <int X, int Y> static void test_neighbours()
{
    constexpr int threads = X * Y, n = threads * ITEMS;
    std::vector<int> in(n), wanted(9 * n), bins(16);
    Random random(n);
    for (int &x : in)
        x = random.next() % 4 * 5;
    for (int i = 0; i < n; i++) {
        wanted[i] = i == 0 || in[i] != in[i - 1];
        wanted[n + i] = i == n - 1 || in[i] != in[i + 1];
        wanted[2 * n + i] = i == 0 ? in[i] != 3 : wanted[i];
        wanted[3 * n + i] = i == 0 ? 3 : in[i - 1];
        wanted[4 * n + i] = i == n - 1 ? in[i] != 3 : wanted[n + i];
        wanted[5 * n + i] = i == 0 ? in[i] : in[i] - in[i - 1];
        wanted[6 * n + i] = i < n - 7 ? in[i] - in[i + 1] : in[i];
        wanted[7 * n + i] = in[(i + n - 1) % n];
        bins[in[i]] += 2;
    }
    for (int t = 0; t < threads; t++) {
        wanted[8 * n + t] = in[(t + 5) % threads * ITEMS];
        wanted[8 * n + threads + t] = t < 3 ? -1 : in[(t - 3) * ITEMS];
    }
    Array<int> from(in), out(9 * n), counts(16);
    CHECK(cudaMemset(out.p, 0, 9 * n * sizeof(int)));
    neighbours<X, Y><<<1, dim3(X, Y)>>>(from.p, out.p, counts.p);
    CHECK_KERNEL();
    same("neighbours", out.back(), wanted);
    same("histogram", counts.back(), bins);
}

int main()
{
    for (int n : {1, 511, 512, 3000}) {
        test_moves<128, 1, 1>(n);
        test_moves<16, 4, 2>(n);
    }
    test_exchange<64, 1>();
    test_exchange<16, 8>();
    test_sorts<int, 64, 1>();
    test_sorts<int, 8, 8>();
    test_sorts<float, 128, 1>();
    test_sorts<unsigned short, 16, 4>();
    test_sort<int, 64, 1, BITS>("bits", 64 * ITEMS, 0);
    test_neighbours<64, 1>();
    test_neighbours<8, 16>();
    return report(good);
}
