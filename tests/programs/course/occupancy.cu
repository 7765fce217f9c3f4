// The occupancy functions: the best block size for a kernel, how many blocks fit on a multiprocessor, and
// shared memory that depends on the block size.
#include "common.h"

__device__ __host__ constexpr int roundUp(int a, int b)
{
    return (a + b - 1) / b * b;
}

__global__ void MyKernel(int *array, int arrayCount)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount)
        array[idx] *= array[idx];
}

__global__ void withShared(int *array, int n)
{
    extern __shared__ int line[];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    line[threadIdx.x] = i < n ? array[i] : 0;
    __syncthreads();
    if (i < n)
        array[i] = line[threadIdx.x] + 1;
}

int main()
{
    const int count = 100000;
    std::vector<int> array(count), out(count);
    for (int i = 0; i < count; i++)
        array[i] = i % 1000;
    int *dArray;
    CHECK(cudaMalloc(&dArray, count * sizeof(int)));
    CHECK(cudaMemcpy(dArray, array.data(), count * sizeof(int), cudaMemcpyHostToDevice));

    int blockSize;   // The launch configurator returned block size
    int minGridSize; // The minimum grid size needed to achieve the maximum occupancy for a full device launch
    int gridSize;    // The actual grid size needed, based on input size
    CHECK(cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, MyKernel, 0, count));
    gridSize = (count + blockSize - 1) / blockSize;
    MyKernel<<<gridSize, blockSize>>>(dArray, count);
    CHECK_KERNEL();

    int maxActiveBlocks, device;
    cudaDeviceProp props;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&maxActiveBlocks, MyKernel, blockSize, 0));
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&props, device));
    float occupancy = (maxActiveBlocks * blockSize / props.warpSize) /
                      (float)(props.maxThreadsPerMultiProcessor / props.warpSize);
    printf("occupancy between 0 and 1: %s\n", occupancy > 0 && occupancy <= 1 ? "yes" : "no");
    bool good = occupancy > 0 && occupancy <= 1 && blockSize % props.warpSize == 0 &&
                minGridSize >= props.multiProcessorCount;

    int sharedBlock, sharedGrid;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&sharedGrid, &sharedBlock, withShared,
                                                         [](int threads) { return threads * sizeof(int); }));
    withShared<<<roundUp(count, sharedBlock) / sharedBlock, sharedBlock, sharedBlock * sizeof(int)>>>(dArray,
                                                                                                      count);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(out.data(), dArray, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++)
        good &= out[i] == array[i] * array[i] + 1;

    // Blocks that take much shared memory: fewer of them.
    int few, many;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, withShared, 128, props.sharedMemPerBlock));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&many, withShared, 128, 0));
    good &= few >= 1 && few < many;
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, withShared));
    good &= attributes.maxThreadsPerBlock >= 256;
    CHECK(cudaFree(dArray));
    return report(good);
}
