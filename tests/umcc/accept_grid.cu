/*
 * Cooperative launches: blocks that wait for the whole grid, more of them than there are workers; their
 * stacks, shared memory and barriers come back as they were. What is too large is refused.
 */
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Each round every block takes what the next one wrote in the round before. */
__global__ void pass_on(int *all, int rounds)
{
    __shared__ int mine[64];
    extern __shared__ int extra[];
    auto grid = cg::this_grid();
    const int t = threadIdx.x, size = blockDim.x, here = blockIdx.x * size,
              next = (blockIdx.x + 1) % gridDim.x * size;
    int local[5] = {t, t + 1, t + 2, t + 3, (int)blockIdx.x};
    int *pointer = &local[t % 5];
    mine[t] = here + t;
    extra[t] = -mine[t];
    for (int round = 0; round < rounds; round++) {
        all[here + t] = mine[t];
        grid.sync();
        const int other = all[next + (t + 1) % size];
        grid.sync();
        const int kept = (blockIdx.x + round) % gridDim.x * size + (t + 3 + round) % size;
        if (mine[(t + 3) % size] != kept)
            atomicAdd(all + gridDim.x * size, 1);
        __syncthreads();
        mine[t] = other;
        (*pointer)++;
        __syncthreads();
        const int block = (blockIdx.x + round + 1) % gridDim.x;
        if (mine[(t + 1) % size] != block * size + (t + round + 2) % size || extra[t] != -(here + t))
            atomicAdd(all + gridDim.x * size, 1);
    }
    const int expected = t % 5 == 4 ? (int)blockIdx.x + rounds : t + t % 5 + rounds;
    if (*pointer != expected || local[(t + 1) % 5] != ((t + 1) % 5 == 4 ? (int)blockIdx.x : t + (t + 1) % 5))
        atomicAdd(all + gridDim.x * size, 1);
}

static void check_pass_on(int blocks, int threads, int rounds)
{
    const int n = blocks * threads;
    int *all = make_managed<int>(n + 1);
    void *arguments[] = {&all, &rounds};
    CHECK(cudaLaunchCooperativeKernel(pass_on, dim3(blocks), dim3(threads), arguments,
                                      threads * sizeof(int)) == cudaSuccess);
    SYNC();
    int wrong = all[n];
    for (int b = 0; b < blocks; b++)
        for (int t = 0; t < threads; t++)
            wrong += all[b * threads + t] != (b + rounds - 1) % blocks * threads + (t + rounds - 1) % threads;
    CHECK(wrong == 0);
    cudaFree(all);
}

/* A sum over the grid without a second launch, as courses have it; threads that end early, shuffles on the
 * way. */
__device__ float partial[1024];
__global__ void grid_sum(const float *in, float *out, int n, int ending)
{
    auto grid = cg::this_grid();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    __shared__ float sums[8];
    float v = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        v += in[i];
    for (int by = 16; by > 0; by /= 2)
        v += warp.shfl_down(v, by);
    if (warp.thread_rank() == 0)
        sums[warp.meta_group_rank()] = v;
    cg::sync(cg::this_thread_block());
    if (threadIdx.x >= blockDim.x - ending)
        return;
    if (threadIdx.x == 0) {
        v = 0;
        for (unsigned i = 0; i < warp.meta_group_size(); i++)
            v += sums[i];
        partial[blockIdx.x] = v;
    }
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        v = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            v += partial[i];
        *out = v + (grid.is_valid() ? 0 : 1);
    }
}

static void check_grid_sum(int blocks, int ending)
{
    int n = 100000;
    float *in = make_managed<float>(n), *out = make_managed<float>(1);
    for (int i = 0; i < n; i++)
        in[i] = (float)(i % 4);
    void *arguments[] = {&in, &out, &n, &ending};
    CHECK(cudaLaunchCooperativeKernel((void *)grid_sum, dim3(blocks), dim3(96), arguments, 0, 0) ==
          cudaSuccess);
    SYNC();
    CHECK(*out == 150000);
    cudaFree(in);
    cudaFree(out);
}

static void check_limits()
{
    int blocks = 0, can = 0, *p = NULL, rounds = 1;
    cudaDeviceProp device;
    void *arguments[] = {&p, &rounds};
    CHECK(cudaGetDeviceProperties(&device, 0) == cudaSuccess);
    CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess && can == 1);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pass_on, 512, 0) == cudaSuccess &&
          blocks > 0);
    blocks *= device.multiProcessorCount;
    CHECK(cudaLaunchCooperativeKernel(pass_on, dim3(blocks + 1), dim3(512), arguments) ==
          cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaLaunchCooperativeKernel(pass_on, dim3(1), dim3(2048), arguments) == cudaErrorInvalidValue);
    CHECK(cudaLaunchCooperativeKernel((void *)NULL, dim3(1), dim3(1), NULL) ==
          cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
}

int main()
{
    check_limits();
    check_pass_on(1, 64, 3);
    check_pass_on(2, 33, 3);
    check_pass_on(37, 64, 5);
    check_pass_on(132 * 4, 32, 2);
    check_grid_sum(1, 0);
    check_grid_sum(50, 0);
    check_grid_sum(51, 40);
    return finish();
}
