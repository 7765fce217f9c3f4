/**
 * @file plugin.cu
 * @brief What plugins.cu loads: a library with a kernel, a device variable and a managed variable.
 */
#include <cuda_runtime.h>

__device__ int on_the_device = 3;
__managed__ int calls;

__global__ void add(int *device, int *managed)
{
    *device += on_the_device - 2;
    *managed += 1;
    calls += 1;
}

/** @return how often it was called since the library was opened, or minus CUDA's error. */
extern "C" int plugin_work(int *device, int *managed)
{
    add<<<1, 1>>>(device, managed);
    const cudaError_t error = cudaDeviceSynchronize();

    return error == cudaSuccess ? calls : -(int)error;
}
