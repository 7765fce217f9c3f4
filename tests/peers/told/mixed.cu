/**
 * @file mixed.cu
 * @brief What each device of a machine answers and takes, a line for each: for mixed.py.
 */
#include <cstdio>
#include <cstring>

__global__ void add(float *x, size_t n)
{
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] += 1;
}

static const size_t n = size_t(64) << 20;

static float kernel_us(float *x)
{
    cudaEvent_t begin, end;
    float ms = -1;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < 2; i++) {
        cudaEventRecord(begin);
        add<<<1056, 256>>>(x, n);
        cudaEventRecord(end);
    }
    cudaDeviceSynchronize();
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return 1000 * ms;
}

static void ask_device(int device)
{
    cudaDeviceProp is;
    size_t free_bytes = 0, total = 0;
    int processors = 0, l2 = 0, blocks = 0;
    float *x = NULL;
    void *all = NULL;
    cudaSetDevice(device);
    cudaGetDeviceProperties(&is, device);
    cudaMemGetInfo(&free_bytes, &total);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0);
    printf("%d|%s|%d|%d|%zu|%d|", device, is.name, is.multiProcessorCount, processors, total, blocks);
    const cudaError_t whole = cudaMalloc(&all, free_bytes - (64 << 20));
    cudaFree(all);
    const cudaError_t more = cudaMalloc(&all, free_bytes + 1);
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    printf("%d|%zu|%s|%s|%.1f\n", l2, is.totalGlobalMem, cudaGetErrorName(whole), cudaGetErrorName(more),
           kernel_us(x));
    cudaFree(x);
}

/* More managed memory than the device has: what it needs comes, and others' pages go to the host. */
static void oversubscribe(int device)
{
    size_t free_bytes = 0, total = 0, got = 0;
    char *x = NULL;
    cudaSetDevice(device);
    cudaMemGetInfo(&free_bytes, &total);
    cudaMallocManaged(&x, total + (size_t(32) << 20));
    const cudaMemLocation here = {cudaMemLocationTypeDevice, device};
    cudaMemPrefetchAsync(x, total + (size_t(32) << 20), here, 0, 0);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemGetInfo(&got, &total);
    printf("%s %d\n", cudaGetErrorName(error), got < (size_t(4) << 20));
    cudaFree(x);
}

int main(int argc, char **argv)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    for (int device = 0; device < count; device++)
        if (argc > 1 && !strcmp(argv[1], "oversubscribe"))
            oversubscribe(device);
        else
            ask_device(device);
    return 0;
}
