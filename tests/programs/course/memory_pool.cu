// Memory ordered by a stream: cudaMallocAsync and cudaFreeAsync, a pool that keeps what is freed, a pool of
// one's own.
#include "common.h"
#include <cstdint>

__global__ void vectorAddGPU(const float *a, const float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N)
        c[idx] = a[idx] + b[idx];
}

static bool run(cudaStream_t stream, cudaMemPool_t pool, int rounds)
{
    const int n = 5000;
    const size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 2 * i;
    for (int r = 0; r < rounds; r++) {
        float *d_a, *d_b, *d_c;
        CHECK(cudaMallocAsync(&d_a, bytes, stream));
        CHECK(cudaMallocAsync((void **)&d_b, bytes, stream));
        if (pool == nullptr)
            CHECK(cudaMallocAsync(&d_c, bytes, stream));
        else
            CHECK(cudaMallocFromPoolAsync(&d_c, bytes, pool, stream));
        CHECK(cudaMemcpyAsync(d_a, a.data(), bytes, cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemcpyAsync(d_b, b.data(), bytes, cudaMemcpyHostToDevice, stream));
        vectorAddGPU<<<(n + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, n);
        CHECK(cudaFreeAsync(d_a, stream));
        CHECK(cudaFreeAsync(d_b, stream));
        CHECK(cudaMemcpyAsync(c.data(), d_c, bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(d_c, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++)
        if (c[i] != 3 * i)
            return false;
    return true;
}

int main()
{
    int supported = 0, device;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
    if (!supported) {
        puts("this device has no memory pools");
        return 2;
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    bool good = run(stream, nullptr, 1);

    cudaMemPool_t pool;
    uint64_t threshold = UINT64_MAX, reserved = 0, used = 1;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    good &= run(stream, nullptr, 20);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    good &= reserved > 0 && used == 0; // it is kept for the next time
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    good &= reserved == 0;

    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    cudaMemPool_t own;
    CHECK(cudaMemPoolCreate(&own, &props));
    good &= run(stream, own, 3);
    CHECK(cudaMemPoolDestroy(own));
    CHECK(cudaStreamDestroy(stream));
    return report(good);
}
