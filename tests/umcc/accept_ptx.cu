/*
 * Special registers, which CUDA C++ has no names for: programs read them by inline PTX.
 */
#include "check.h"

__device__ __forceinline__ unsigned lane_id()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ unsigned lanes_before()
{
    unsigned mask;
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

__global__ void registers(unsigned *out, int *count)
{
    const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned *mine = out + 8 * i;
    mine[0] = lane_id();
    mine[1] = lanes_before();
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(mine[2]));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(mine[3]) : : "memory");
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(mine[4]));
    asm("mov.u32 %0, %%smid;" : "=r"(mine[5]));
    asm("mov.u32 %0, %%nsmid;" : "=r"(mine[6]));
    unsigned long long before, after;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
    asm volatile("" ::: "memory");
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(after));
    mine[7] = __popc(lanes_before());
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicAdd(count, after > 0 && before > 0);
}

int main()
{
    const int threads = 5 * 60;
    unsigned *out = make_managed<unsigned>(8 * threads);
    int *count = make_managed<int>(1);
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0) == cudaSuccess);
    registers<<<5, dim3(20, 3)>>>(out, count);
    SYNC();
    CHECK(*count == 5);
    for (int i = 0; i < threads; i++) {
        const unsigned *mine = out + 8 * i, lane = i % 60 % 32;
        CHECK(mine[0] == lane && mine[1] == (1u << lane) - 1 && mine[2] < 2 &&
              mine[3] == ~((1u << lane) - 1));
        CHECK(mine[4] == (unsigned)i / 60 && mine[5] < mine[6] &&
              mine[6] >= (unsigned)device.multiProcessorCount);
        CHECK(mine[7] == lane);
    }
    return finish();
}
