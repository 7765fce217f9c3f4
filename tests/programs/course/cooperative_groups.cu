// Cooperative groups: a sum that works for a block as for tiles of it, shuffles of tiles, groups of the
// threads that are together, and the whole grid in step.
#include <cooperative_groups.h>
#include "common.h"

namespace cg = cooperative_groups;

template <class Group> __device__ int sumReduction(const Group &g, int *x, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = val;
        g.sync();
        if (lane < i)
            val += x[lane + i];
        g.sync();
    }
    return g.thread_rank() == 0 ? val : -1;
}

__global__ void cgkernel(int *out)
{
    cg::thread_block threadBlockGroup = cg::this_thread_block();
    extern __shared__ int workspace[];
    int input = threadBlockGroup.thread_rank();
    int output = sumReduction(threadBlockGroup, workspace, input);
    if (threadBlockGroup.thread_rank() == 0)
        out[0] = output;
    threadBlockGroup.sync();

    cg::thread_block_tile<16> tiledPartition16 = cg::tiled_partition<16>(threadBlockGroup);
    int offset = threadBlockGroup.thread_rank() - tiledPartition16.thread_rank();
    output = sumReduction(tiledPartition16, workspace + offset, tiledPartition16.thread_rank());
    if (tiledPartition16.thread_rank() == 0)
        out[1 + tiledPartition16.meta_group_rank()] = output;
}

template <typename Tile> __device__ int tileSum(const Tile &tile, int value)
{
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    return tile.shfl(value, 0);
}

__global__ void tiles(int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    int mine = threadIdx.x;
    out[threadIdx.x] = tileSum(warp, mine) * 1000 + tileSum(quad, 1) + (quad.any(mine % 4 == 3) ? 10 : 0) +
                       (warp.all(mine >= 0) ? 100 : 0);
}

__global__ void aggregated(int *counter, const int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        if (g.thread_rank() == 0)
            atomicAdd(counter, (int)g.size());
    }
}

// Each phase reads what other blocks wrote in the one before.
__global__ void phases(int *a, int *b, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < rounds; r++) {
        const int *from = r % 2 ? b : a;
        int *to = r % 2 ? a : b;
        for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
            to[i] = from[(i + 1) % n] + from[(i + n - 1) % n];
        grid.sync();
    }
}

int main()
{
    const int threads = 64;
    int *out;
    CHECK(cudaMallocManaged(&out, 256 * sizeof(int)));
    cgkernel<<<1, threads, threads * sizeof(int)>>>(out);
    CHECK_KERNEL();
    bool good = out[0] == (threads - 1) * threads / 2;
    for (int t = 0; t < threads / 16; t++)
        good &= out[1 + t] == 15 * 16 / 2;
    printf("groups: %s\n", good ? "ok" : "wrong");

    tiles<<<1, 64>>>(out);
    CHECK_KERNEL();
    for (int i = 0; i < 64; i++)
        good &= out[i] == (i < 32 ? 496 : 496 + 32 * 32) * 1000 + 4 + 10 + 100;
    printf("tiles: %s\n", good ? "ok" : "wrong");

    int *counter = out + 200;
    *counter = 0;
    for (int i = 0; i < 150; i++)
        out[i] = i % 3 - 1;
    aggregated<<<3, 64>>>(counter, out, 150);
    CHECK_KERNEL();
    good &= *counter == 50;
    printf("coalesced: %s\n", good ? "ok" : "wrong");

    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    if (supported) {
        int n = 1000, rounds = 6;
        int *a, *b;
        CHECK(cudaMallocManaged(&a, n * sizeof(int)));
        CHECK(cudaMallocManaged(&b, n * sizeof(int)));
        std::vector<int> x(n), y(n);
        for (int i = 0; i < n; i++)
            a[i] = x[i] = i % 5;
        void *kernelArgs[] = {&a, &b, &n, &rounds};
        CHECK(cudaLaunchCooperativeKernel((void *)phases, dim3(4), dim3(64), kernelArgs, 0, 0));
        CHECK_KERNEL();
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < n; i++)
                y[i] = x[(i + 1) % n] + x[(i + n - 1) % n];
            x.swap(y);
        }
        for (int i = 0; i < n; i++)
            good &= a[i] == x[i];
        printf("grid: %s\n", good ? "ok" : "wrong");
        CHECK(cudaFree(a));
        CHECK(cudaFree(b));
    }
    CHECK(cudaFree(out));
    return report(good);
}
