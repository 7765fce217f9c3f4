/**
 * @file headers_program.cu
 * @brief Uses templates of the simulator's headers: tests/umcc/headers.py compiles it with everyday names
 * defined as macros.
 *
 * Its own names are long on purpose: a single letter or a common word may be a number here.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

namespace groups = cooperative_groups;

constexpr int all_threads = 128;

struct sums {
    int by_block, by_tiles, by_lanes, by_atomics, by_scope;
    float by_halves;
};

__global__ void adds(sums *sum_of)
{
    typedef cub::BlockReduce<int, all_threads> reduction;
    __shared__ typename reduction::TempStorage storage;
    const int mine = (int)threadIdx.x;
    const int by_block = reduction(storage).Sum(mine);
    const auto half_warp = groups::tiled_partition<16>(groups::this_thread_block());
    const int by_tile = groups::reduce(half_warp, mine, groups::plus<int>());
    if (half_warp.thread_rank() == 0)
        atomicAdd(&sum_of->by_tiles, by_tile);
    int by_lane = mine;
    for (int distance = 16; distance > 0; distance /= 2)
        by_lane += __shfl_down_sync(0xffffffffu, by_lane, distance);
    if (mine % 32 == 0)
        atomicAdd(&sum_of->by_lanes, by_lane);
    atomicAdd(&sum_of->by_atomics, mine);
    cuda::atomic_ref<int, cuda::thread_scope_device>(sum_of->by_scope).fetch_add(mine);
    __syncthreads();
    if (mine == 0) {
        sum_of->by_block = by_block;
        sum_of->by_halves = __half2float(__hadd(__float2half(1.5f), (__half)2)) + (float)__nv_bfloat16(0.5f);
        curandState state;
        curand_init(1, 2, 3, &state);
        sum_of->by_halves += curand_uniform(&state) < 0 ? 1 : 0;
    }
}

int main()
{
    sums *sum_of;
    cudaMallocManaged(&sum_of, sizeof(sums));
    *sum_of = sums();
    adds<<<1, all_threads>>>(sum_of);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    const int wanted = all_threads * (all_threads - 1) / 2;
    bool good = sum_of->by_block == wanted && sum_of->by_tiles == wanted && sum_of->by_lanes == wanted &&
                sum_of->by_atomics == wanted && sum_of->by_scope == wanted && sum_of->by_halves == 4.0f;

    thrust::device_vector<int> numbers(1000);
    thrust::sequence(numbers.begin(), numbers.end());
    thrust::transform(numbers.begin(), numbers.end(), numbers.begin(), thrust::negate<int>());
    thrust::sort(numbers.begin(), numbers.end());
    good = good && numbers[0] == -999 && thrust::reduce(numbers.begin(), numbers.end()) == -499500;
    thrust::exclusive_scan(numbers.begin(), numbers.end(), numbers.begin());
    good = good && numbers[2] == -999 - 998;
    printf("%s\n", good ? "good" : "not good");
    return good ? 0 : 1;
}
