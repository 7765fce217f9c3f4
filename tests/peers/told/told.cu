/**
 * @file told.cu
 * @brief What told.py asks: one thing a run, by its name.
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__managed__ int shared_by_all = 3;
__device__ int each_has_one[32];

__global__ void write_to(int *p)
{
    p[threadIdx.x] = 1;
}

__global__ void write_managed()
{
    shared_by_all = 5;
}

/* Two devices, each with memory; the kernel runs on 0. */
static void follow(bool of_pool)
{
    int *p = nullptr;
    cudaSetDevice(1);
    if (of_pool)
        cudaMallocAsync(&p, 4096, 0);
    else
        cudaMalloc(&p, 4096);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    write_to<<<1, 32>>>(p + 16);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

/* A kernel on 0 writes to 1's variable, though it has access to 1. */
static void follow_variable()
{
    void *p = nullptr;
    cudaSetDevice(1);
    cudaGetSymbolAddress(&p, each_has_one);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    write_to<<<1, 32>>>((int *)p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

__global__ void allocate(int **p)
{
    *p = (int *)malloc(sizeof **p);
}

/* A kernel on 0 writes to what one on 1 has got of malloc(), though it has access to 1. */
static void follow_heap()
{
    int **p = nullptr;
    cudaMallocManaged(&p, sizeof *p);
    cudaSetDevice(1);
    allocate<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    write_to<<<1, 1>>>(*p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

/* 1's memory is copied, or else filled, while 0 is current; nobody asks for the error. */
static void use_of_1(bool of_pool)
{
    int host = 0, *p = nullptr;
    cudaSetDevice(1);
    if (of_pool)
        cudaMallocAsync(&p, 4096, 0);
    else
        cudaMalloc(&p, 4096);
    cudaSetDevice(0);
    if (of_pool)
        cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
    else
        cudaMemset(p, 0, 4);
}

static void managed_on(int device)
{
    cudaSetDevice(device);
    write_managed<<<1, 1>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s %d\n", cudaGetErrorName(error), error ? 0 : shared_by_all);
}

/* As CUDA 12 has these calls. */
static void places_by_number()
{
    int *p = nullptr, where[2] = {-7, -7};
    const size_t bytes = 1 << 16;
    cudaMallocManaged(&p, bytes);
    cudaMemPrefetchAsync(p, bytes, 1, 0);
    cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, 1);
    cudaDeviceSynchronize();
    cudaMemRangeGetAttribute(&where[0], sizeof where[0], cudaMemRangeAttributeLastPrefetchLocation, p, bytes);
    cudaMemRangeGetAttribute(&where[1], sizeof where[1], cudaMemRangeAttributePreferredLocation, p, bytes);
    std::printf("%d %d %s %s\n", where[0], where[1], cudaGetErrorName(cudaMemPrefetchAsync(p, bytes, 5, 0)),
                cudaGetErrorName(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, 5)));
}

__global__ void add_to(int *p)
{
    *p += 1;
}

/* The host, 0, 1, and the host again. */
static void to_and_fro()
{
    int *p = nullptr;
    cudaMallocManaged(&p, 4 << 20);
    *p = 4;
    for (int device = 0; device < 2; device++) {
        cudaSetDevice(device);
        add_to<<<1, 1>>>(p);
        cudaDeviceSynchronize();
    }
    const int said = *p;
    std::printf("%s %d\n", cudaGetErrorName(cudaGetLastError()), said);
}

/* The last device is preferred; then ReadMostly. */
static void advise()
{
    cudaMemLocation last = {};
    int count = 0, *p = nullptr;
    cudaGetDeviceCount(&count);
    last.type = cudaMemLocationTypeDevice;
    last.id = count - 1;
    cudaMallocManaged(&p, 4 << 20);
    cudaMemAdvise(p, 4 << 20, cudaMemAdviseSetPreferredLocation, last);
    cudaMemAdvise(p, 4 << 20, cudaMemAdviseSetReadMostly, last);
}

static void devices()
{
    int count = -1;
    char bus[32] = "none";
    const cudaError_t error = cudaGetDeviceCount(&count);
    cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
    std::printf("%s %d %s\n", cudaGetErrorName(error), count, bus);
}

/* Kernels on all devices, each with numbers of its own. */
static void all_work()
{
    int count = 0, right = 0, host[32];
    int *p[64];
    cudaGetDeviceCount(&count);
    for (int i = 0; i < count; i++) {
        cudaSetDevice(i);
        cudaMalloc(&p[i], sizeof host);
        write_to<<<1, 32>>>(p[i]);
    }
    for (int i = 0; i < count; i++) {
        cudaMemcpyPeer(p[0], 0, p[i], i, sizeof host);
        std::memset(host, 0, sizeof host);
        cudaMemcpy(host, p[i], sizeof host, cudaMemcpyDefault);
        right += host[31] == 1;
    }
    std::printf("%d of %d\n", right, count);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    void *p = nullptr;
    if (!std::strcmp(what, "follow"))
        follow(false);
    else if (!std::strcmp(what, "pool"))
        follow(true);
    else if (!std::strcmp(what, "follow variable"))
        follow_variable();
    else if (!std::strcmp(what, "follow heap"))
        follow_heap();
    else if (!std::strcmp(what, "use"))
        use_of_1(false);
    else if (!std::strcmp(what, "use pool"))
        use_of_1(true);
    else if (!std::strcmp(what, "managed"))
        std::printf("%s\n", cudaGetErrorName(cudaMallocManaged(&p, 4096)));
    else if (!std::strcmp(what, "variable 0"))
        managed_on(0);
    else if (!std::strcmp(what, "variable 1"))
        managed_on(1);
    else if (!std::strcmp(what, "to and fro"))
        to_and_fro();
    else if (!std::strcmp(what, "by number"))
        places_by_number();
    else if (!std::strcmp(what, "advise"))
        advise();
    else if (!std::strcmp(what, "all"))
        all_work();
    else
        devices();
    return 0;
}
