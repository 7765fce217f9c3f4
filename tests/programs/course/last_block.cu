// A sum in one kernel: the block that finishes last adds up what the others left. A fence, an atomic counter
// that wraps.
#include "common.h"

__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;

__device__ float calculatePartialSum(const float *array, int N)
{
    __shared__ float partial[128];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        sum += array[i];
    partial[threadIdx.x] = sum;
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (threadIdx.x < s)
            partial[threadIdx.x] += partial[threadIdx.x + s];
    }
    __syncthreads();
    return partial[0];
}

__global__ void sum(const float *array, int N, volatile float *result)
{
    float partialSum = calculatePartialSum(array, N);
    if (threadIdx.x == 0) {
        result[blockIdx.x] = partialSum;
        __threadfence(); // the sum is there before the count
        unsigned int value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();

    if (isLastBlockDone) {
        if (threadIdx.x == 0) {
            float totalSum = 0;
            for (int b = 0; b < gridDim.x; b++)
                totalSum += result[b];
            result[0] = totalSum;
            count = 0; // for the next launch
        }
    }
}

int main()
{
    const int n = 20000, blocks = 16;
    std::vector<float> data(n);
    double expected = 0;
    for (int i = 0; i < n; i++)
        expected += data[i] = i % 17;
    float *d_data, *d_result, result;
    CHECK(cudaMalloc(&d_data, n * sizeof(float)));
    CHECK(cudaMalloc(&d_result, blocks * sizeof(float)));
    CHECK(cudaMemcpy(d_data, data.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    bool good = true;
    for (int round = 0; round < 3; round++) {
        sum<<<blocks, 128>>>(d_data, n, d_result);
        CHECK_KERNEL();
        CHECK(cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost));
        good &= result == expected;
    }
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_result));
    printf("%.0f\n", result);
    return report(good);
}
