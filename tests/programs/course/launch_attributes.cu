// cudaLaunchKernelEx: a cooperative launch by an attribute, clusters of one block, a kernel that may begin
// before its predecessor has ended.
#include <cooperative_groups.h>
#include "common.h"

namespace cg = cooperative_groups;

__global__ void fill(int *a, int n, float value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = (int)value + i;
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__global__ void twice(const int *a, int *b, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    if (i < n)
        b[i] = 2 * a[i];
}

// Each block takes over what its neighbour wrote.
__global__ void rotate(int *a)
{
    const cg::grid_group grid = cg::this_grid();
    const unsigned long long i = grid.thread_rank(), from = (i + blockDim.x) % grid.size();
    const int value = a[from];
    grid.sync();
    a[i] = value;
}

int main()
{
    const int n = 1000, threads = 128, blocks = 8;
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const bool hopper = device.major >= 9; // clusters, dependent launches
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int *a, *b;
    CHECK(cudaMallocManaged(&a, blocks * threads * sizeof *a));
    CHECK(cudaMallocManaged(&b, blocks * threads * sizeof *b));

    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    CHECK(cudaLaunchKernelEx(&config, fill, a, n, 5)); // an int for a float
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
    config.attrs = attributes;
    config.numAttrs = hopper ? 2 : 0;
    CHECK(cudaLaunchKernelEx(&config, twice, (const int *)a, b, n));
    CHECK(cudaStreamSynchronize(stream));
    bool good = true;
    for (int i = 0; i < n; i++)
        good &= b[i] == 2 * (5 + i);
    printf("dependent: %s\n", good ? "ok" : "wrong");

    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = device.cooperativeLaunch;
    config.numAttrs = 1;
    if (device.cooperativeLaunch) {
        for (int i = 0; i < blocks * threads; i++)
            a[i] = i;
        CHECK(cudaLaunchKernelEx(&config, rotate, a));
        CHECK(cudaStreamSynchronize(stream));
        for (int i = 0; i < blocks * threads; i++)
            good &= a[i] == (i + threads) % (blocks * threads);
        printf("cooperative: %s\n", good ? "ok" : "wrong");
    }
    config.gridDim = 0;
    const cudaError_t error = cudaLaunchKernelEx(&config, rotate, a);
    good &= error != cudaSuccess && cudaGetLastError() == error;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaStreamDestroy(stream));
    return report(good);
}
