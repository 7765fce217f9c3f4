// Managed memory with hints: prefetching to the device and back, advice, several kernels and the host in
// turns.
#include "common.h"

__global__ void init(int n, float *x, float *y)
{
    int index = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
}

__global__ void add(int n, float *x, float *y)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride)
        y[i] = x[i] + y[i];
}

int main()
{
    int N = 1 << 18;
    size_t size = N * sizeof(float);
    float *x, *y;
    int device = -1, concurrent = 0;
    CHECK(cudaMallocManaged(&x, size));
    CHECK(cudaMallocManaged(&y, size));
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));

    int blockSize = 256, numBlocks = 64;
    init<<<numBlocks, blockSize>>>(N, x, y);
    if (concurrent) {
#if CUDART_VERSION >= 13000
        cudaMemLocation gpu = {cudaMemLocationTypeDevice, device}, cpu = {cudaMemLocationTypeHost, 0};
        CHECK(cudaMemAdvise(x, size, cudaMemAdviseSetReadMostly, gpu));
        CHECK(cudaMemAdvise(y, size, cudaMemAdviseSetPreferredLocation, gpu));
        CHECK(cudaMemPrefetchAsync(x, size, gpu, 0, 0));
        CHECK(cudaMemPrefetchAsync(y, size, gpu, 0, 0));
#else
        CHECK(cudaMemAdvise(x, size, cudaMemAdviseSetReadMostly, device));
        CHECK(cudaMemAdvise(y, size, cudaMemAdviseSetPreferredLocation, device));
        CHECK(cudaMemPrefetchAsync(x, size, device, 0));
        CHECK(cudaMemPrefetchAsync(y, size, device, 0));
#endif
        add<<<numBlocks, blockSize>>>(N, x, y);
#if CUDART_VERSION >= 13000
        CHECK(cudaMemPrefetchAsync(y, size, cpu, 0, 0));
#else
        CHECK(cudaMemPrefetchAsync(y, size, cudaCpuDeviceId, 0));
#endif
    } else {
        add<<<numBlocks, blockSize>>>(N, x, y);
    }
    CHECK_KERNEL();
    float maxError = 0;
    for (int i = 0; i < N; i++)
        maxError = fmax(maxError, fabs(y[i] - 3.0f));
    for (int round = 0; round < 3; round++) {
        y[round] = 10; // the host writes, the device adds, the host reads
        add<<<numBlocks, blockSize>>>(N, x, y);
        CHECK_KERNEL();
        maxError = fmax(maxError, fabs(y[round] - 11.0f));
    }
    printf("Max error: %g\n", maxError);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    return report(maxError == 0);
}
