/**
 * @file kernel.cu
 * @brief What kernels do on the second device: print, allocate, launch, wait for each other, read textures.
 */
#include "peers.h"

#include <cooperative_groups.h>
#include <cstring>

__global__ void print_line(int number)
{
    printf("kernel: prints on %d\ta line\n", number);
}

__device__ int *kept;

__global__ void allocate(int value)
{
    kept = (int *)malloc(1024);
    if (kept)
        kept[100] = value;
}

__global__ void read_kept(int *to)
{
    to[0] = kept ? kept[100] : -1;
    free(kept);
}

__global__ void child(int *to)
{
    to[threadIdx.x] += 5;
}

__global__ void parent(int *to)
{
    to[threadIdx.x] = 10;
    __syncthreads();
    if (threadIdx.x == 0)
        child<<<1, 32>>>(to);
}

__global__ void ask_device(int *to)
{
    cudaGetDevice(&to[0]);
    cudaGetDeviceCount(&to[1]);
}

__global__ void meet(int *to)
{
    to[blockIdx.x] = (int)blockIdx.x + 1;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int all = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            all += to[i];
        to[0] = all;
    }
}

__global__ void fetch(int *to, cudaTextureObject_t texture)
{
    to[threadIdx.x] = tex1Dfetch<int>(texture, (int)threadIdx.x);
}

static void kernels_print()
{
    for (int device = 0; device < 2; device++) {
        NEED(cudaSetDevice(device));
        print_line<<<1, 1>>>(device);
        NEED(cudaDeviceSynchronize());
    }
}

static void each_device_has_a_heap()
{
    int *to[2] = {numbers(0, 0), numbers(1, 0)}, value = 0;
    for (int device = 0; device < 2; device++) {
        NEED(cudaSetDevice(device));
        allocate<<<1, 1>>>(20 + device);
        NEED(cudaDeviceSynchronize());
    }
    for (int device = 0; device < 2; device++) {
        NEED(cudaSetDevice(device));
        read_kept<<<1, 1>>>(to[device]);
        NEED(cudaMemcpy(&value, to[device], sizeof value, cudaMemcpyDeviceToHost));
        ANSWER(device ? "kernel: allocated on 1" : "kernel: allocated on 0", "%d", value);
    }
    NEED(cudaSetDevice(0));
    RETURNS("kernel: heap of 0 changed after its use", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
}

static void the_heap_of_an_unused_device_can_be_changed()
{
    NEED(cudaSetDevice(1));
    allocate<<<1, 1>>>(1);
    NEED(cudaDeviceSynchronize());
    NEED(cudaSetDevice(0));
    RETURNS("kernel: heap of 0 changed, 1's used", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
}

static void kernels_launch_on_their_device()
{
    int *of_1 = numbers(1, 0), value[2] = {0, 0};
    NEED(cudaSetDevice(1));
    parent<<<1, 32>>>(of_1);
    RETURNS("kernel: launches on 1", cudaDeviceSynchronize());
    NEED(cudaMemcpy(value, of_1 + 31, sizeof(int), cudaMemcpyDeviceToHost));
    ANSWER("kernel: what its child made", "%d", value[0]);
    ask_device<<<1, 1>>>(of_1);
    NEED(cudaMemcpy(value, of_1, sizeof value, cudaMemcpyDeviceToHost));
    ANSWER("kernel: device and count asked on 1", "%d %d", value[0], value[1]);
}

static void a_grid_meets_on_its_device()
{
    int *of_1 = numbers(1, 0), value = 0;
    void *arguments[] = {&of_1};
    NEED(cudaSetDevice(1));
    RETURNS("kernel: cooperative launch on 1",
            cudaLaunchCooperativeKernel((void *)meet, 64, 32, arguments, 0, 0));
    NEED(cudaMemcpy(&value, of_1, sizeof value, cudaMemcpyDeviceToHost));
    ANSWER("kernel: what the grid made", "%d", value);
}

static void textures_are_read_on_their_device()
{
    int *of_1 = numbers(1, 6), *to = numbers(1, 0), value = 0;
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaTextureObject_t texture;
    std::memset(&resource, 0, sizeof resource);
    std::memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = of_1;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = N * sizeof(int);
    NEED(cudaSetDevice(1));
    RETURNS("kernel: texture made on 1", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    fetch<<<1, 32>>>(to, texture);
    RETURNS("kernel: texture read on 1", cudaDeviceSynchronize());
    NEED(cudaMemcpy(&value, to + 31, sizeof value, cudaMemcpyDeviceToHost));
    ANSWER("kernel: what the texture had", "%d", value);
}

extern const behaviour kernel_behaviours[] = {
    {"kernels print", kernels_print},
    {"each device has a heap", each_device_has_a_heap},
    {"the heap of an unused device can be changed", the_heap_of_an_unused_device_can_be_changed},
    {"kernels launch on their device", kernels_launch_on_their_device},
    {"a grid meets on its device", a_grid_meets_on_its_device},
    {"textures are read on their device", textures_are_read_on_their_device},
    {nullptr, nullptr}};
