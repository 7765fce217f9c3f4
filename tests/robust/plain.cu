/**
 * @file plain.cu
 * @brief An ordinary program that uses a bit of everything, for limits, surroundings and ways to build it.
 *
 * Exit 0 when all was right. Its only case is `works`; with `unregistered` it calls no cudaHostRegister().
 */
#include "robust.h"

#include <thread>
#include <vector>

__constant__ int factor = 3;
__device__ int touched;
__managed__ int total;

__global__ void scale(float *x, int count)
{
    __shared__ float tile[128];
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    tile[threadIdx.x] = i < count ? x[i] : 0;
    __syncthreads();
    if (i < count)
        x[i] = tile[threadIdx.x] * (float)factor;
    if (threadIdx.x == 0) {
        atomicAdd(&touched, 1);
        atomicAdd(&total, 1);
    }
}

static void everything()
{
    enum { COUNT = 100000, BLOCKS = (COUNT + 127) / 128 };
    float *pinned = NULL, *device = NULL;
    std::vector<float> plain(COUNT, 2.0f);
    int blocks = 0;

    gpu_works("at first");
    NEED(cudaMallocHost((void **)&pinned, COUNT * sizeof *pinned));
    NEED(cudaMalloc((void **)&device, COUNT * sizeof *device));
    NEED(cudaMemcpy(device, plain.data(), COUNT * sizeof *device, cudaMemcpyHostToDevice));
    scale<<<BLOCKS, 128>>>(device, COUNT);
    NEED(cudaMemcpy(pinned, device, COUNT * sizeof *device, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++)
        HOLDS(pinned[i] == 6.0f, "element %d: %g", i, (double)pinned[i]);
    NEED(cudaMemcpyFromSymbol(&blocks, touched, sizeof blocks));
    HOLDS(blocks == BLOCKS && total == BLOCKS, "%d, %d", blocks, total);
    if (strcmp(robust_argument, "unregistered") != 0) {
        NEED(cudaHostRegister(plain.data(), COUNT * sizeof(float), cudaHostRegisterMapped));
        NEED(cudaHostUnregister(plain.data()));
    }
    NEED(cudaFreeHost(pinned));
    NEED(cudaFree(device));
}

static void works()
{
    everything();
    std::thread(gpu_works, "in a thread").join();
    puts("all is right");
}

ROBUST_CASES({"works", works})
