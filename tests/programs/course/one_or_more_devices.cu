// All devices that there are, be it one: a part of the work for each, peer access where there are two, the
// sum on the host.
#include "common.h"

struct Plan {
    int dataN;
    float *h_Data;
    float *d_Data, *d_Sum;
    float *h_Sum;
    cudaStream_t stream;
};

const int MAX_GPU_COUNT = 8;
const int DATA_N = 1 << 16;
const int BLOCK_N = 16, THREAD_N = 64;

__global__ void reduceKernel(float *d_Result, float *d_Input, int N)
{
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    const int threadN = gridDim.x * blockDim.x;
    float sum = 0;
    for (int pos = tid; pos < N; pos += threadN)
        sum += d_Input[pos];
    d_Result[tid] = sum;
}

int main()
{
    int GPU_N;
    CHECK(cudaGetDeviceCount(&GPU_N));
    GPU_N = GPU_N > MAX_GPU_COUNT ? MAX_GPU_COUNT : GPU_N;
    Plan plan[MAX_GPU_COUNT];
    const int accumulators = BLOCK_N * THREAD_N;

    for (int i = 0; i < GPU_N; i++)
        plan[i].dataN = DATA_N / GPU_N + (i < DATA_N % GPU_N ? 1 : 0);
    double expected = 0;
    unsigned number = 1;
    for (int i = 0; i < GPU_N; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamCreate(&plan[i].stream));
        CHECK(cudaMalloc((void **)&plan[i].d_Data, plan[i].dataN * sizeof(float)));
        CHECK(cudaMalloc((void **)&plan[i].d_Sum, accumulators * sizeof(float)));
        CHECK(cudaMallocHost((void **)&plan[i].h_Sum, accumulators * sizeof(float)));
        CHECK(cudaMallocHost((void **)&plan[i].h_Data, plan[i].dataN * sizeof(float)));
        for (int j = 0; j < plan[i].dataN; j++) {
            number = number * 1103515245u + 12345u;
            plan[i].h_Data[j] = (number >> 16) % 100;
            expected += plan[i].h_Data[j];
        }
    }
    for (int i = 0; i < GPU_N; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMemcpyAsync(plan[i].d_Data, plan[i].h_Data, plan[i].dataN * sizeof(float),
                              cudaMemcpyHostToDevice, plan[i].stream));
        reduceKernel<<<BLOCK_N, THREAD_N, 0, plan[i].stream>>>(plan[i].d_Sum, plan[i].d_Data, plan[i].dataN);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(plan[i].h_Sum, plan[i].d_Sum, accumulators * sizeof(float),
                              cudaMemcpyDeviceToHost, plan[i].stream));
    }
    double sum = 0;
    for (int i = 0; i < GPU_N; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamSynchronize(plan[i].stream));
        for (int j = 0; j < accumulators; j++)
            sum += plan[i].h_Sum[j];
    }
    for (int i = 0; i < GPU_N; i++)
        for (int j = 0; j < GPU_N; j++) {
            int can;
            CHECK(cudaDeviceCanAccessPeer(&can, i, j));
            if (i == j && can)
                return report(false); // no device is its own peer
            if (can)
                printf("device %d reaches %d\n", i, j);
        }
    for (int i = 0; i < GPU_N; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaFreeHost(plan[i].h_Sum));
        CHECK(cudaFreeHost(plan[i].h_Data));
        CHECK(cudaFree(plan[i].d_Sum));
        CHECK(cudaFree(plan[i].d_Data));
        CHECK(cudaStreamDestroy(plan[i].stream));
        CHECK(cudaDeviceReset());
    }
    printf("%.0f on the devices, %.0f on the host\n", sum, expected);
    return report(sum == expected);
}
