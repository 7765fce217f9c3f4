// Streams of low and high priority, and what a stream and an event say of themselves.
#include "common.h"

__global__ void busy(unsigned int *data, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int r = 0; r < rounds; r++)
            data[i] = data[i] * 3 + 1;
}

int main()
{
    int least, greatest;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    bool good = greatest <= least; // lower numbers go first
    cudaStream_t low, high;
    CHECK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest));
    int priority;
    unsigned int flags;
    CHECK(cudaStreamGetPriority(high, &priority));
    CHECK(cudaStreamGetFlags(high, &flags));
    good &= priority == greatest && flags == cudaStreamNonBlocking;

    const int n = 4096;
    unsigned int *a, *b, *back;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMallocHost(&back, 2 * sizeof(int)));
    cudaEvent_t lowDone, highDone;
    CHECK(cudaEventCreate(&lowDone));
    CHECK(cudaEventCreate(&highDone));
    CHECK(cudaMemsetAsync(a, 0, n * sizeof(int), low));
    CHECK(cudaMemsetAsync(b, 0, n * sizeof(int), high));
    for (int i = 0; i < 4; i++) {
        busy<<<n / 256, 256, 0, low>>>(a, n, 50);
        busy<<<n / 256, 256, 0, high>>>(b, n, 5);
    }
    CHECK(cudaEventRecord(lowDone, low));
    CHECK(cudaEventRecord(highDone, high));
    CHECK(cudaMemcpyAsync(back, a + n - 1, sizeof(int), cudaMemcpyDeviceToHost, low));
    CHECK(cudaMemcpyAsync(back + 1, b + n - 1, sizeof(int), cudaMemcpyDeviceToHost, high));
    CHECK(cudaEventSynchronize(highDone));
    good &= cudaEventQuery(highDone) == cudaSuccess;
    CHECK(cudaStreamSynchronize(low));
    CHECK(cudaStreamSynchronize(high));
    good &= cudaStreamQuery(low) == cudaSuccess && cudaStreamQuery(high) == cudaSuccess;
    unsigned int expected[2] = {0, 0};
    for (int r = 0; r < 200; r++)
        expected[0] = expected[0] * 3 + 1;
    for (int r = 0; r < 20; r++)
        expected[1] = expected[1] * 3 + 1;
    good &= back[0] == expected[0] && back[1] == expected[1];
    CHECK(cudaEventDestroy(lowDone));
    CHECK(cudaEventDestroy(highDone));
    CHECK(cudaStreamDestroy(low));
    CHECK(cudaStreamDestroy(high));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFreeHost(back));
    return report(good);
}
