// Cooperative groups beyond a warp: tiles of 64 to 512 threads, sums and scans over them, one thread for all,
// barriers in two halves, clusters of one block.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include "common.h"

namespace cg = cooperative_groups;

struct Place {
    int sum, before, first, votes;
};

// What each thread learns of its tile, whatever the tile's size.
template <unsigned Size> __global__ void tiles(const int *values, Place *places)
{
    __shared__ cg::block_tile_memory<512> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<Size>(block);
    const int i = block.thread_rank(), mine = values[i];
    places[i].sum = cg::reduce(tile, mine, cg::plus<int>());
    places[i].before = cg::exclusive_scan(tile, mine);
    places[i].first = tile.shfl(mine, 0);
    places[i].votes = tile.any(mine == 7) + 2 * tile.all(mine < 9) +
                      4 * (int)(tile.meta_group_rank() == i / Size) +
                      8 * (int)(tile.meta_group_size() == blockDim.x / Size);
}

// Neighbouring tiles hand over through shared memory, each at its own pace; tiles of tiles.
__global__ void halves(int *out)
{
    __shared__ int buffer[256];
    auto block = cg::this_thread_block();
    auto half = cg::tiled_partition<128>(block);
    auto warp = cg::tiled_partition<32>(half);
    const int rounds = 1 + 3 * half.meta_group_rank();
    int value = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        buffer[threadIdx.x] = value;
        half.sync();
        value = buffer[half.meta_group_rank() * 128 + (half.thread_rank() + 1) % 128] + 1;
        half.sync();
    }
    out[threadIdx.x] = value * 10 + warp.meta_group_rank();
}

using counter = cuda::atomic<int, cuda::thread_scope_device>;

// Those that are odd are put into a list: one atomic operation a warp says where.
__global__ void compact(const int *values, int n, int *list, counter *length, counter *sum)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool odd = i < n && values[i] % 2 == 1;
    const int place = cg::exclusive_scan_update(warp, *length, odd ? 1 : 0, cg::plus<int>());
    if (odd)
        list[place] = values[i];
    cg::reduce_update_async(warp, *sum, odd ? values[i] : 0, cg::plus<int>());
}

__global__ void one_for_all(counter *calls, int *out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    cg::invoke_one(block, [&] { calls->fetch_add(1000); });
    out[threadIdx.x] = cg::invoke_one_broadcast(
        tile, [&](int by) { return calls->fetch_add(by) >= 0 ? 5 : 6; }, 1);
    if (threadIdx.x % 3 == 0) {
        auto some = cg::coalesced_threads();
        cg::invoke_one(some, [&] { calls->fetch_add(100000); });
    }
}

__global__ void in_two_halves(int *out)
{
    __shared__ int buffer[128];
    auto block = cg::this_thread_block();
    buffer[threadIdx.x] = threadIdx.x;
    auto token = block.barrier_arrive();
    const int own = threadIdx.x * threadIdx.x; // needs nobody
    block.barrier_wait(std::move(token));
    out[threadIdx.x] = own + buffer[127 - threadIdx.x];
}

__global__ void grid_in_two_halves(int *out)
{
    auto grid = cg::this_grid();
    out[grid.thread_rank()] = (int)grid.block_rank();
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    const int next = out[(grid.thread_rank() + blockDim.x) % grid.size()];
    grid.sync();
    out[grid.thread_rank()] = next;
}

__global__ void clusters(int *out)
{
#ifdef _CG_HAS_CLUSTER_GROUP
    __shared__ int mine;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        mine = blockIdx.x * 10;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(&mine, cluster.block_rank());
    if (threadIdx.x == 1)
        out[blockIdx.x] = *theirs + cluster.num_blocks();
    cluster.sync();
#else
    out[blockIdx.x] = blockIdx.x * 10 + 1;
#endif
}

template <unsigned Size> static bool check_tiles(const int *values, Place *places)
{
    tiles<Size><<<1, 512>>>(values, places);
    CHECK_KERNEL();
    bool good = true;
    for (unsigned first = 0; first < 512; first += Size) {
        int sum = 0;
        bool any = false, all = true;
        for (unsigned i = first; i < first + Size; i++) {
            good &= places[i].before == sum && places[i].first == values[first];
            sum += values[i];
            any |= values[i] == 7;
            all &= values[i] < 9;
        }
        for (unsigned i = first; i < first + Size; i++)
            good &= places[i].sum == sum && places[i].votes == any + 2 * all + 12;
    }
    printf("tiles of %u: %s\n", Size, good ? "ok" : "wrong");
    return good;
}

static bool check_lists(const int *values, int *list)
{
    const int n = 500;
    counter *counters;
    CHECK(cudaMallocManaged(&counters, 3 * sizeof *counters));
    for (int i = 0; i < 3; i++)
        counters[i] = 0;
    compact<<<4, 128>>>(values, n, list, &counters[0], &counters[1]);
    CHECK_KERNEL();
    int count[10] = {}, sum = 0, length = 0;
    for (int i = 0; i < n; i++)
        if (values[i] % 2 == 1) {
            count[values[i]]++;
            sum += values[i];
            length++;
        }
    bool good = counters[0] == length && counters[1] == sum;
    for (int i = 0; i < length; i++)
        count[list[i]]--;
    for (int c : count)
        good &= c == 0;
    one_for_all<<<1, 64>>>(&counters[2], list);
    CHECK_KERNEL();
    good &= counters[2] % 100000 == 1004 && counters[2] >= 200000; // coalesced: a group a warp, or more
    for (int i = 0; i < 64; i++)
        good &= list[i] == 5;
    CHECK(cudaFree(counters));
    printf("lists, one for all: %s\n", good ? "ok" : "wrong");
    return good;
}

static bool check_barriers(int *out)
{
    bool good = true;
    halves<<<1, 256>>>(out);
    CHECK_KERNEL();
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, rounds = 1 + 3 * half, at = i % 128;
        good &= out[i] == (half * 128 + (at + rounds) % 128 + rounds) * 10 + at / 32;
    }
    in_two_halves<<<1, 128>>>(out);
    CHECK_KERNEL();
    for (int i = 0; i < 128; i++)
        good &= out[i] == i * i + 127 - i;
    clusters<<<3, 32>>>(out);
    CHECK_KERNEL();
    for (int b = 0; b < 3; b++)
        good &= out[b] == b * 10 + 1;
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    if (supported) {
        void *arguments[] = {&out};
        CHECK(cudaLaunchCooperativeKernel((void *)grid_in_two_halves, dim3(5), dim3(64), arguments, 0, 0));
        CHECK_KERNEL();
        for (int i = 0; i < 5 * 64; i++)
            good &= out[i] == (i / 64 + 1) % 5;
    }
    printf("barriers: %s\n", good ? "ok" : "wrong");
    return good;
}

int main()
{
    int *values, *out;
    Place *places;
    CHECK(cudaMallocManaged(&values, 512 * sizeof *values));
    CHECK(cudaMallocManaged(&out, 512 * sizeof *out));
    CHECK(cudaMallocManaged(&places, 512 * sizeof *places));
    Random random;
    for (int i = 0; i < 512; i++)
        values[i] = (int)(random.next() % (i < 128 ? 9 : 10));
    bool good = check_tiles<16>(values, places);
    good &= check_tiles<32>(values, places);
    good &= check_tiles<64>(values, places);
    good &= check_tiles<128>(values, places);
    good &= check_tiles<512>(values, places);
    good &= check_lists(values, out);
    good &= check_barriers(out);
    CHECK(cudaFree(values));
    CHECK(cudaFree(out));
    CHECK(cudaFree(places));
    return report(good);
}
