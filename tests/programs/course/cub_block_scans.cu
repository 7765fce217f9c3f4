// CUB's reductions and scans of blocks and warps in all of their forms, beside plain loops.
#include <cub/cub.cuh>

#include "common.h"

#include <algorithm>

static bool good = true;

static void same(const char *what, const std::vector<int> &got, const std::vector<int> &wanted)
{
    for (size_t i = 0; i < wanted.size() && good; i++)
        if (got[i] != wanted[i]) {
            printf("%s: element %zu is %d, not %d\n", what, i, got[i], wanted[i]);
            good = false;
        }
}

struct Larger {
    __host__ __device__ int operator()(int a, int b) const
    {
        return a < b ? b : a;
    }
};
// Not commutative: a scan has to keep the order. (a, b) is the function x -> a x + b, modulo 2^32.
struct Affine {
    unsigned a, b;
};
struct Then {
    __host__ __device__ Affine operator()(Affine f, Affine g) const
    {
        return {g.a * f.a, g.a * f.b + g.b};
    }
};

// The sum of the tiles so far: what a block adds to each tile's scan.
struct Running {
    int total;
    __device__ int operator()(int tile)
    {
        const int before = total;
        total += tile;
        return before;
    }
};

constexpr int ITEMS = 3;

// One block, tile after tile: the whole array's sums
template <int X, int Y> __global__ void tiles(const int *in, int *inclusive, int *exclusive, int *most, int n)
{
    using Load = cub::BlockLoad<int, X, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE, Y>;
    using Store = cub::BlockStore<int, X, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE, Y>;
    using Scan = cub::BlockScan<int, X, cub::BLOCK_SCAN_WARP_SCANS, Y>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } temp;
    Running running{0}, again{0};
    constexpr int tile = X * Y * ITEMS;
    for (int begin = 0; begin < n; begin += tile) {
        int items[ITEMS], sums[ITEMS];
        const int valid = min(tile, n - begin);
        Load(temp.load).Load(in + begin, items, valid, 0);
        __syncthreads();
        Scan(temp.scan).ExclusiveSum(items, sums, running);
        __syncthreads();
        Store(temp.store).Store(exclusive + begin, sums, valid);
        __syncthreads();
        Scan(temp.scan).InclusiveSum(items, sums, again);
        __syncthreads();
        Store(temp.store).Store(inclusive + begin, sums, valid);
        __syncthreads();
        Scan(temp.scan).ExclusiveScan(items, sums, -1000000, Larger());
        __syncthreads();
        Store(temp.store).Store(most + begin, sums, valid);
        __syncthreads();
    }
}

template <int X, int Y> static void test_tiles(int n)
{
    std::vector<int> in(n), inclusive(n), exclusive(n), most(n);
    Random random(n);
    for (int &x : in)
        x = (int)(random.next() % 2000) - 1000;
    for (int i = 0; i < n; i++) {
        exclusive[i] = i ? inclusive[i - 1] : 0;
        inclusive[i] = exclusive[i] + in[i];
        most[i] = i % (X * Y * ITEMS) ? std::max(most[i - 1], in[i - 1]) : -1000000;
    }
    int *p;
    CHECK(cudaMallocManaged(&p, 4 * n * sizeof(int)));
    std::copy(in.begin(), in.end(), p);
    tiles<X, Y><<<1, dim3(X, Y)>>>(p, p + n, p + 2 * n, p + 3 * n, n);
    CHECK_KERNEL();
    same("inclusive", std::vector<int>(p + n, p + 2 * n), inclusive);
    same("exclusive", std::vector<int>(p + 2 * n, p + 3 * n), exclusive);
    same("most", std::vector<int>(p + 3 * n, p + 4 * n), most);
    CHECK(cudaFree(p));
}

// A value for each thread, without storage of the caller's. out: ten results for each thread.
template <int X, int Y> __global__ void values(const int *in, int *out)
{
    using Scan = cub::BlockScan<int, X, cub::BLOCK_SCAN_RAKING, Y>;
    using Functions = cub::BlockScan<Affine, X, cub::BLOCK_SCAN_RAKING, Y>;
    using Reduce = cub::BlockReduce<int, X, cub::BLOCK_REDUCE_RAKING, Y>;
    constexpr int n = X * Y;
    const int thread = cub::RowMajorTid(X, Y, 1), value = in[thread];
    int sum, total, most = value, all;
    Scan().InclusiveSum(value, sum, total);
    out[thread] = sum;
    out[n + thread] = total;
    __syncthreads();
    Scan().ExclusiveScan(value, most, Larger(), all);
    out[2 * n + thread] = thread == 0 ? value : most;
    out[3 * n + thread] = all;
    __syncthreads();
    Scan().ExclusiveScan(value, most, 100, Larger(), all);
    out[4 * n + thread] = most;
    out[5 * n + thread] = all;
    Affine f{(unsigned)value, 7u}, before, function;
    Functions().ExclusiveScan(f, before, Affine{1, 0}, Then(), function);
    out[6 * n + thread] = (int)before.b;
    out[7 * n + thread] = (int)function.b;
    const int reduced = Reduce().Sum(value);
    __syncthreads();
    const int part = Reduce().Reduce(value, Larger(), 5);
    __syncthreads();
    int two[2] = {value, 2 * value};
    const int both = Reduce().Sum(two);
    if (thread == 0) {
        out[8 * n] = reduced;
        out[8 * n + 1] = part;
        out[8 * n + 2] = both;
    }
}

template <int X, int Y> static void test_values()
{
    constexpr int n = X * Y;
    int *p;
    CHECK(cudaMallocManaged(&p, 10 * n * sizeof(int)));
    Random random(n);
    for (int i = 0; i < n; i++)
        p[i] = (int)(random.next() % 1000) - 500;
    const std::vector<int> in(p, p + n);
    std::vector<int> wanted(8 * n + 3);
    int total = 0, most = in[0];
    Affine f{1, 0};
    for (int i = 0; i < n; i++) {
        wanted[2 * n + i] = most;
        wanted[4 * n + i] = i ? std::max(most, 100) : 100;
        wanted[6 * n + i] = (int)f.b;
        wanted[i] = total += in[i];
        most = std::max(most, in[i]);
        f = Then()(f, Affine{(unsigned)in[i], 7u});
    }
    for (int i = 0; i < n; i++) {
        wanted[n + i] = total;
        wanted[3 * n + i] = wanted[5 * n + i] = most;
        wanted[7 * n + i] = (int)f.b;
    }
    wanted[8 * n] = total;
    wanted[8 * n + 1] = *std::max_element(in.begin(), in.begin() + 5);
    wanted[8 * n + 2] = 3 * total;
    values<X, Y><<<1, dim3(X, Y)>>>(p, p + n);
    CHECK_KERNEL();
    same("values", std::vector<int>(p + n, p + n + wanted.size()), wanted);
    CHECK(cudaFree(p));
}

struct Below {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a < b;
    }
};

// Parts of LANES lanes. out: results for each lane
template <int LANES> __global__ void warps(const int *in, const int *flags, int *out, int *sorted)
{
    using Reduce = cub::WarpReduce<int, LANES>;
    using Scan = cub::WarpScan<int, LANES>;
    using Load = cub::WarpLoad<int, 4, cub::WARP_LOAD_TRANSPOSE, LANES>;
    using Store = cub::WarpStore<int, 4, cub::WARP_STORE_TRANSPOSE, LANES>;
    using Sort = cub::WarpMergeSort<int, 4, LANES>;
    using Exchange = cub::WarpExchange<int, 4, LANES>;
    __shared__ typename Reduce::TempStorage reduce[64 / LANES];
    __shared__ typename Scan::TempStorage scan[64 / LANES];
    __shared__ typename Load::TempStorage load[64 / LANES];
    __shared__ typename Store::TempStorage store[64 / LANES];
    __shared__ typename Sort::TempStorage sort[64 / LANES];
    __shared__ typename Exchange::TempStorage swap[64 / LANES];
    const int thread = threadIdx.x, part = thread / LANES, value = in[thread];
    int inclusive, exclusive, total;
    out[thread] = Reduce(reduce[part]).HeadSegmentedSum(value, flags[thread]);
    __syncwarp();
    out[64 + thread] = Reduce(reduce[part]).TailSegmentedReduce(value, flags[thread], Larger());
    __syncwarp();
    out[128 + thread] = Reduce(reduce[part]).Sum(value, LANES - 3);
    Scan(scan[part]).InclusiveSum(value, inclusive, total);
    __syncwarp();
    out[192 + thread] = inclusive;
    out[256 + thread] = total;
    Scan(scan[part]).Scan(value, inclusive, exclusive, -5000, Larger());
    __syncwarp();
    out[320 + thread] = inclusive;
    out[384 + thread] = exclusive;
    out[448 + thread] = Scan(scan[part]).Broadcast(value, 2);
    int items[4];
    Load(load[part]).Load(in + part * LANES * 4, items, LANES * 4 - 1, 9999);
    Sort(sort[part]).Sort(items, Below());
    int striped[4];
    Exchange(swap[part]).BlockedToStriped(items, striped);
    __syncwarp();
    Exchange(swap[part]).StripedToBlocked(striped, items);
    Store(store[part]).Store(sorted + part * LANES * 4, items);
}

template <int LANES> static void test_warps()
{
    int *p;
    CHECK(cudaMallocManaged(&p, 2000 * sizeof(int)));
    int *const flags = p + 256, *const out = p + 400, *const sorted = p + 1000;
    Random random(LANES);
    for (int i = 0; i < 256; i++)
        p[i] = (int)(random.next() % 1000) - 500;
    for (int i = 0; i < 64; i++)
        flags[i] = random.next() % 4 == 0;
    warps<LANES><<<1, 64>>>(p, flags, out, sorted);
    CHECK_KERNEL();
    std::vector<int> wanted(out, out + 512), order(p, p + 256);
    for (int i = 0; i < 64; i++) {
        const int first = i / LANES * LANES, end = first + LANES;
        if (i == first || flags[i]) { // results of other lanes are not defined
            int j = i + 1;
            wanted[i] = p[i];
            while (j < end && !flags[j])
                wanted[i] += p[j++];
        }
        if (i == first || flags[i - 1]) {
            int j = i;
            wanted[64 + i] = p[i];
            while (!flags[j] && j + 1 < end)
                wanted[64 + i] = std::max(wanted[64 + i], p[++j]);
        }
        wanted[192 + i] = p[i] + (i > first ? wanted[192 + i - 1] : 0);
        wanted[320 + i] = std::max(p[i], i > first ? wanted[320 + i - 1] : -5000);
        wanted[384 + i] = i > first ? wanted[320 + i - 1] : -5000;
        wanted[448 + i] = p[first + 2];
    }
    for (int i = 0; i < 64; i++) {
        const int first = i / LANES * LANES;
        wanted[256 + i] = wanted[192 + first + LANES - 1];
        if (i == first)
            wanted[128 + i] = wanted[192 + i + LANES - 4];
    }
    for (int part = 0; part < 64 / LANES; part++) {
        int *const begin = order.data() + part * LANES * 4, *const end = begin + LANES * 4;
        end[-1] = 9999;
        std::sort(begin, end);
    }
    same("warps", std::vector<int>(out, out + 512), wanted);
    same("sorted", std::vector<int>(sorted, sorted + 256), order);
    CHECK(cudaFree(p));
}

int main()
{
    for (int n : {1, 100, 383, 384, 385, 2000}) {
        test_tiles<128, 1>(n);
        test_tiles<16, 4>(n);
    }
    test_values<32, 1>();
    test_values<96, 1>();
    test_values<16, 8>();
    test_warps<32>();
    test_warps<16>();
    test_warps<8>();
    return report(good);
}
