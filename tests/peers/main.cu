/**
 * @file main.cu
 * @brief Runs each behaviour in a process of its own, and has what they share (peers.h).
 *
 *     peers [PART]        only functions whose names contain it
 */
#include "peers.h"

#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

void need(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    std::printf("%s:%d: %s: %s\n", file, line, call, cudaGetErrorName(error));
    std::fflush(stdout);
    _exit(3);
}

__global__ void add(int *p, int value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] += value;
}

__global__ void copy_and_add(int *to, const int *from, int value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i] + value;
}

__global__ void add_late(int *p, int value)
{
    if (threadIdx.x == 0) {
        const long long begin = clock64();
        while (clock64() - begin < 300000000ll)
            ;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        p[i] += value;
}

__global__ void count_threads(int *p)
{
    atomicAdd(p, 1);
}

cudaError_t launch_add(int *p, int value, cudaStream_t stream)
{
    add<<<N / 256, 256, 0, stream>>>(p, value);
    return cudaGetLastError();
}

cudaError_t launch_copy(int *to, const int *from, int value, cudaStream_t stream)
{
    copy_and_add<<<N / 256, 256, 0, stream>>>(to, from, value);
    return cudaGetLastError();
}

cudaError_t launch_late(int *p, int value, cudaStream_t stream)
{
    add_late<<<1, 256, 0, stream>>>(p, value);
    return cudaGetLastError();
}

int *numbers(int device, int value)
{
    int before, *p;
    int *host = new int[N];
    for (int i = 0; i < N; i++)
        host[i] = value;
    NEED(cudaGetDevice(&before));
    NEED(cudaSetDevice(device));
    NEED(cudaMalloc(&p, N * sizeof *p));
    NEED(cudaMemcpy(p, host, N * sizeof *p, cudaMemcpyHostToDevice));
    NEED(cudaDeviceSynchronize());
    NEED(cudaSetDevice(before));
    delete[] host;
    return p;
}

long sum(const int *p)
{
    int *host = new int[N];
    long all = 0;
    if (cudaMemcpy(host, p, N * sizeof *p, cudaMemcpyDeviceToHost) != cudaSuccess)
        all = -1;
    for (int i = 0; i < N && all >= 0; i++)
        all += host[i];
    delete[] host;
    return all;
}

cudaStream_t stream_of(int device)
{
    int before;
    cudaStream_t stream;
    NEED(cudaGetDevice(&before));
    NEED(cudaSetDevice(device));
    NEED(cudaStreamCreate(&stream));
    NEED(cudaSetDevice(before));
    return stream;
}

cudaEvent_t event_of(int device)
{
    int before;
    cudaEvent_t event;
    NEED(cudaGetDevice(&before));
    NEED(cudaSetDevice(device));
    NEED(cudaEventCreate(&event));
    NEED(cudaSetDevice(before));
    return event;
}

static void run(const behaviour *it)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        it->run();
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        std::printf("%s\tended by signal %d\n", it->name, WTERMSIG(status));
    else if (WEXITSTATUS(status))
        std::printf("%s\tended with status %d\n", it->name, WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    const behaviour *const all[] = {device_behaviours,  access_behaviours,        memory_behaviours,
                                    copy_behaviours,    stream_behaviours,        order_behaviours,
                                    pool_behaviours,    graph_behaviours,         kernel_behaviours,
                                    managed_behaviours, managed_steps_behaviours, graph_memory_behaviours,
                                    ipc_behaviours};
    for (const behaviour *list : all)
        for (const behaviour *it = list; it->name; it++)
            if (argc < 2 || std::strstr(it->name, argv[1]))
                run(it);
    return 0;
}
