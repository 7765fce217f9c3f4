// CUB's allocator, iterators, shares of a grid, searches and operations of one thread.
#include <cub/cub.cuh>
#include <cub/grid/grid_even_share.cuh>
#include <cub/grid/grid_queue.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>
#include <cub/iterator/tex_obj_input_iterator.cuh>
#include <cub/thread/thread_search.cuh>
#include <cub/util_allocator.cuh>
#include <cub/util_debug.cuh>
#include <cub/util_device.cuh>
#include <cub/util_ptx.cuh>

#include "device_array.h"

#include <algorithm>

static cub::CachingDeviceAllocator allocator(true);

static void check(const char *what, bool holds)
{
    if (!holds)
        printf("%s is wrong\n", what);
    good = good && holds;
}

static void test_allocator()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    void *a = nullptr, *b = nullptr, *large = nullptr;
    CubDebugExit(allocator.DeviceAllocate(&a, 1000));
    void *const first = a;
    CubDebugExit(allocator.DeviceFree(a));
    CubDebugExit(allocator.DeviceAllocate(&a, 4000)); // the same 4 KB again
    check("memory that is used again", a == first);
    CubDebugExit(allocator.DeviceAllocate(&b, 4000, stream));
    check("memory of its own", b != a);
    CubDebugExit(allocator.DeviceAllocate(&large, 64 << 20));
    CHECK(cudaMemset(large, 0, 64 << 20));
    CubDebugExit(allocator.DeviceFree(large));
    CubDebugExit(allocator.DeviceFree(a));
    CubDebugExit(allocator.DeviceFree(b));
    CubDebugExit(allocator.FreeAllCached());
    CHECK(cudaStreamDestroy(stream));
    check("an error's way through CubDebug", CubDebug(cudaErrorInvalidValue) == cudaErrorInvalidValue);
    int version = 0;
    CHECK(cub::SmVersion(version));
    check("the version", version >= 500 && version % 10 == 0);
    check("the devices", cub::DeviceCount() >= 1 && cub::CurrentDevice() == 0);
}

__global__ void copy(cub::CacheModifiedInputIterator<cub::LOAD_LDG, int> in,
                     cub::TexObjInputIterator<int> texture,
                     cub::CacheModifiedOutputIterator<cub::STORE_CG, int> out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + texture[i];
}

static void test_iterators(int n)
{
    const std::vector<int> in = numbers(n, 1000, n);
    std::vector<int> sums(n);
    for (int i = 0; i < n; i++)
        sums[i] = 2 * in[i];
    Array<int> from(in), out(n);
    cub::TexObjInputIterator<int> texture;
    CHECK(texture.BindTexture(from.p, n * sizeof(int)));
    copy<<<blocks_for(n, 128), 128>>>(from.p, texture, out.p, n);
    CHECK_KERNEL();
    same("copied", out.back(), sums);
    CHECK(texture.UnbindTexture());
    using Pair = cub::KeyValuePair<int, int>;
    Array<Pair> pair(std::vector<Pair>(1));
    cub::ArgIndexInputIterator<int *, int> places(from.p);
    WITH_STORAGE(cub::DeviceReduce::Reduce, places, pair.p, n, cub::ArgMax(), Pair(-1, -5000));
    const auto most = std::max_element(in.begin(), in.end());
    check("the largest element's place",
          pair.back()[0].key == most - in.begin() && pair.back()[0].value == *most);
}

// Every element once, by each way of dividing them among the blocks.
template <cub::GridMappingStrategy HOW> __global__ void shares(cub::GridEvenShare<int> share, int *counts)
{
    share.BlockInit<64, HOW>();
    for (int tile = share.block_offset; tile < share.block_end; tile += share.block_stride)
        for (int i = tile + threadIdx.x; i < min(tile + 64, share.block_end); i += blockDim.x)
            atomicAdd(&counts[i], 1);
}

__global__ void drain(cub::GridQueue<int> queue, int *counts, int n)
{
    __shared__ int first;
    for (;;) {
        if (threadIdx.x == 0)
            first = queue.Drain(32);
        __syncthreads();
        const int begin = first;
        __syncthreads();
        if (begin >= n)
            return;
        if (begin + threadIdx.x < n)
            counts[begin + threadIdx.x]++;
    }
}

static void test_shares(int n)
{
    Array<int> counts(n);
    CHECK(cudaMemset(counts.p, 0, n * sizeof(int)));
    cub::GridEvenShare<int> share;
    share.DispatchInit(n, 7, 64);
    shares<cub::GRID_MAPPING_RAKE><<<share.grid_size, 32>>>(share, counts.p);
    CHECK_KERNEL();
    shares<cub::GRID_MAPPING_STRIP_MINE><<<share.grid_size, 32>>>(share, counts.p);
    CHECK_KERNEL();
    Array<int> storage(2);
    cub::GridQueue<int> queue(storage.p);
    CHECK(queue.FillAndResetDrain(n));
    drain<<<4, 32>>>(queue, counts.p, n);
    CHECK_KERNEL();
    same("shares", counts.back(), std::vector<int>(n, 3));
}

struct Place {
    int x, y;
};

__global__ void one_thread(const int *sorted, int n, int *out)
{
    int mine[5] = {4, 1, 5, 1, 3}, values[5] = {0, 1, 2, 3, 4};
    struct Less {
        __device__ bool operator()(int a, int b) const
        {
            return a < b;
        }
    };
    struct Plus {
        __device__ int operator()(int a, int b) const
        {
            return a + b;
        }
    };
    out[0] = cub::LowerBound(sorted, n, 6);
    out[1] = cub::UpperBound(sorted, n, 6);
    Place place;
    cub::MergePathSearch(7, sorted, sorted + 5, 5, 4, place);
    out[2] = place.x;
    out[3] = place.y;
    out[4] = cub::ThreadReduce(mine, Plus());
    cub::StableOddEvenSort(mine, values, Less());
    for (int i = 0; i < 5; i++)
        out[5 + i] = mine[i] * 10 + values[i];
    int exchanged = cub::ShuffleDown<32>((int)threadIdx.x, 3, 31, 0xffffffff);
    exchanged += 100 * cub::ShuffleUp<32>((int)threadIdx.x, 2, 0, 0xffffffff);
    exchanged += 10000 * cub::ShuffleIndex<32>((int)threadIdx.x, 9, 0xffffffff);
    out[10 + threadIdx.x] = exchanged;
    out[42 + threadIdx.x] = (int)cub::WarpMask<8>(2) + cub::RowMajorTid(32, 1, 1);
    out[74 + threadIdx.x] = cub::ThreadLoad<cub::LOAD_CG>(sorted + threadIdx.x % n);
}

static void test_one_thread()
{
    const std::vector<int> sorted{0, 2, 6, 6, 8, 1, 3, 6, 7};
    std::vector<int> wanted{2, 4, 4, 3, 14, 11, 13, 34, 40, 52};
    for (int t = 0; t < 32; t++)
        wanted.push_back((t + 3 > 31 ? t : t + 3) + 100 * (t < 2 ? t : t - 2) + 10000 * 9);
    for (int t = 0; t < 32; t++)
        wanted.push_back(0xff0000 + t);
    for (int t = 0; t < 32; t++)
        wanted.push_back(sorted[t % 5]);
    Array<int> in(sorted), out(wanted.size());
    one_thread<<<1, 32>>>(in.p, 5, out.p);
    CHECK_KERNEL();
    same("one thread", out.back(), wanted);
}

int main()
{
    test_allocator();
    test_iterators(1000);
    for (int n : {1, 64, 65, 3000})
        test_shares(n);
    test_one_thread();
    return report(good);
}
