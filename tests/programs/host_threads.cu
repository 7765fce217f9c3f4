/**
 * @file host_threads.cu
 * @brief Eight host threads at once, each with a stream and memory of its own: copy in, compute, copy back,
 * compare.
 *
 * Half of them use cudaStreamPerThread, half a stream that they make; each allocates and frees as it goes.
 * Exit 0 when every number was right.
 */
#include "need.h"

#include <stdint.h>
#include <thread>
#include <vector>

enum { THREADS = 8, ROUNDS = 25, LENGTH = 5000 };

__global__ void mix(unsigned *x, unsigned thread, unsigned round)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < LENGTH)
        x[i] = x[i] * 2654435761u + thread * 1000 + round;
}

static void work(unsigned thread)
{
    cudaStream_t stream = cudaStreamPerThread;
    unsigned *host, *device;
    if (thread % 2)
        NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    NEED(cudaMallocHost((void **)&host, LENGTH * sizeof *host));
    for (unsigned round = 0; round < ROUNDS; round++) {
        NEED(cudaMalloc((void **)&device, LENGTH * sizeof *device));
        for (unsigned i = 0; i < LENGTH; i++)
            host[i] = i ^ (thread << 16) ^ round;
        NEED(cudaMemcpyAsync(device, host, LENGTH * sizeof *host, cudaMemcpyHostToDevice, stream));
        mix<<<(LENGTH + 255) / 256, 256, 0, stream>>>(device, thread, round);
        NEED(cudaGetLastError());
        NEED(cudaMemcpyAsync(host, device, LENGTH * sizeof *host, cudaMemcpyDeviceToHost, stream));
        NEED(cudaStreamSynchronize(stream));
        for (unsigned i = 0; i < LENGTH; i++) {
            unsigned expected = (i ^ (thread << 16) ^ round) * 2654435761u + thread * 1000 + round;
            HOLDS(host[i] == expected, "thread %u, round %u, element %u: %u, not %u", thread, round, i,
                  host[i], expected);
        }
        NEED(cudaFree(device));
    }
    NEED(cudaFreeHost(host));
    if (thread % 2)
        NEED(cudaStreamDestroy(stream));
}

int main()
{
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < THREADS; t++)
        threads.emplace_back(work, t);
    for (std::thread &thread : threads)
        thread.join();
    NEED(cudaDeviceSynchronize());
    printf("%d threads, %d rounds each: all verified\n", THREADS, ROUNDS);
    return 0;
}
