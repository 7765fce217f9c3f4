/*
 * Kernels whose threads wait for each other in vain. `stuck N` runs case N, whose launch has to fail with
 * cudaErrorLaunchFailure and this text in its message (run.sh):
 *
 * case 0: block 1,0,0 thread 0,0,0 waits at stuck.cu:42, thread 16,0,0 at stuck.cu:44
 * case 1: block 0,0,0 thread 0,0,0 waits at stuck.cu:51, thread 3,1,0 at stuck.cu:52
 * case 2: thread 4,0,0 waits in __shfl_sync at stuck.cu:59 with the mask 0x0000ffff for lanes 0-3, 9, 15 of
 * case 2: its warp, but thread 0,0,0 waits at the barrier at stuck.cu:61
 * case 3: thread 0,0,0 waits in __syncwarp at stuck.cu:66 with the mask 0x00000003 for lane 1 of its warp,
 * case 3: but thread 1,0,0 waits in __syncwarp at stuck.cu:66 with the mask 0x00000006
 * case 4: called __ballot_sync at stuck.cu:71 with the mask 0x0000ffff in lane 16 (block 0,0,0 thread 16,0,0)
 * case 5: __all_sync at stuck.cu:77 with the mask 0xffffffff, but thread 5,0,0 of block 0,0,0 called
 * case 5: __shfl_down_sync at stuck.cu:79
 * case 6: thread 0,0,0 waits in __syncwarp at stuck.cu:86 with the mask 0xffffffff for lane 7 of its warp,
 * case 6: but thread 7,0,0 waits at the barrier at stuck.cu:84
 * case 7: called grid.sync() at stuck.cu:101
 * case 8: block 0,0,0 waits in grid.sync() at stuck.cu:101, but 3 blocks have ended
 * case 9: called mma_sync at stuck.cu:96 in a warp that is not whole, which is undefined: that of block
 * case 9: 0,0,0 thread 32,0,0 lacks lanes 16-31
 * case 10: called mma_sync at stuck.cu:96 in a warp that is not whole, which is undefined: that of block
 * case 10: 0,0,0 thread 0,0,0 lacks lane 31
 * case 11: block 2,0,0 thread 0,0,0 waits in cuda::barrier::wait() at stuck.cu:113 for 1 more to come, but
 * case 11: nobody is left who could: 63 threads wait so
 * case 12: block 0,0,0 thread 5,0,0 waits in cuda::barrier::arrive_and_wait() at stuck.cu:124 for 3 more to
 * case 12: come, but nobody is left who could: 1 thread waits so
 * case 13: let threads of a warp wait at different barriers, which hangs on a GPU: in block 0,0,0 thread
 * case 13: 0,0,0 waits at stuck.cu:132, thread 48,0,0 at stuck.cu:134
 * case 14: let threads of a block wait at different barriers, which hangs on a GPU: in block 0,0,0 thread
 * case 14: 0,0,0 waits at stuck.cu:140, thread 32,0,0 at stuck.cu:142
 */
#include "check.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <mma.h>
#include <cstdlib>

__global__ void other_branch(int *p)
{
    const bool first = threadIdx.x < 16 || blockIdx.x == 0;
    if (first)
        __syncthreads();
    else
        __syncthreads();
    p[threadIdx.x] = 1;
}
__global__ void barrier_for_some(int *p)
{
    p[threadIdx.x] = 1;
    if (threadIdx.x + 4 * threadIdx.y < 7)
        __syncthreads();
    p[0] = __syncthreads_count(1);
}
__global__ void shuffle_and_barrier(int *p)
{
    const unsigned lane = threadIdx.x;
    int v = 0;
    if (lane > 3 && lane != 9 && lane < 15)
        v = __shfl_sync(0xffff, (int)lane, 4);
    else
        __syncthreads();
    p[lane] = v;
}
__global__ void other_mask(int *)
{
    __syncwarp(0x563 >> 4 * threadIdx.x & 15);
}
__global__ void not_in_mask(int *p)
{
    if (threadIdx.x < 17)
        p[0] = (int)__ballot_sync(0xffff, 1);
}
__global__ void other_operation(int *p)
{
    const int lane = threadIdx.x;
    if (lane < 5)
        p[0] = __all_sync(~0u, 1);
    else
        p[1] = __shfl_down_sync(~0u, lane, 1);
}
__global__ void barrier_in_a_warp(int *p)
{
    if (threadIdx.x == 7)
        __syncthreads();
    else
        __syncwarp();
    p[0] = 1;
}
__global__ void product_of_some(int *, int lanes)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    if (threadIdx.x < lanes)
        mma_sync(c, a, b, c);
}
__global__ void whole_grid(int *p, int blocks)
{
    if (blockIdx.x < blocks)
        cooperative_groups::this_grid().sync();
    p[0] = 1;
}
__global__ void too_few(int *p)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, 64);
    __syncthreads();
    if (blockIdx.x < 2 || threadIdx.x != 9) {
        auto token = bar.arrive();
        if (blockIdx.x == 2)
            bar.wait(std::move(token));
    }
    p[threadIdx.x] = 1;
}
__global__ void one_waits(int *p)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, 4);
    __syncthreads();
    if (threadIdx.x == 5)
        bar.arrive_and_wait();
    __syncthreads();
    p[threadIdx.x] = 1;
}
/* The first warp is whole, the second is not. */
__global__ void warp_in_two(int *p)
{
    if (threadIdx.x < 48)
        __syncthreads();
    else
        __syncthreads();
    p[threadIdx.x] = 1;
}
__global__ void grid_or_block(int *p)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        cooperative_groups::this_grid().sync();
    p[threadIdx.x] = 1;
}

int main(int, char **arguments)
{
    int *p = make_managed<int>(64), blocks = 4;
    void *whole[] = {&p, &blocks}, *one[] = {&p};
    switch (atoi(arguments[1])) {
    case 0:
        other_branch<<<3, 32>>>(p);
        break;
    case 1:
        barrier_for_some<<<1, dim3(4, 4)>>>(p);
        break;
    case 2:
        shuffle_and_barrier<<<1, 20>>>(p);
        break;
    case 3:
        other_mask<<<1, 3>>>(p);
        break;
    case 4:
        not_in_mask<<<1, 64>>>(p);
        break;
    case 5:
        other_operation<<<1, 32>>>(p);
        break;
    case 6:
        barrier_in_a_warp<<<1, 40>>>(p);
        break;
    case 7:
        whole_grid<<<4, 16>>>(p, blocks);
        break;
    case 8:
        CHECK(cudaLaunchCooperativeKernel(whole_grid, dim3(7), dim3(16), whole) == cudaSuccess);
        break;
    case 9:
        product_of_some<<<1, 48>>>(p, 48);
        break;
    case 10:
        product_of_some<<<2, 32>>>(p, 31);
        break;
    case 11:
        too_few<<<3, 64>>>(p);
        break;
    case 12:
        one_waits<<<1, 64>>>(p);
        break;
    case 13:
        warp_in_two<<<1, 64>>>(p);
        break;
    case 14:
        CHECK(cudaLaunchCooperativeKernel(grid_or_block, dim3(2), dim3(64), one) == cudaSuccess);
        break;
    }
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    CHECK(cudaFree(p) == cudaErrorLaunchFailure);
    return finish();
}
