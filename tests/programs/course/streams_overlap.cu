// Copies in, kernels and copies out, cut into chunks over several streams, breadth first and depth first.
#include "common.h"
#include <cstring>

__global__ void kernel(float *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)i;
    float s = sinf(x);
    float c = cosf(x);
    a[i] = a[i] + sqrtf(s * s + c * c);
}

static float maxError(float *a, int n)
{
    float maxE = 0;
    for (int i = 0; i < n; i++) {
        float error = fabs(a[i] - 1.0f);
        if (error > maxE)
            maxE = error;
    }
    return maxE;
}

int main(int argc, char **argv)
{
    const int blockSize = 256, nStreams = 4;
    const int n = 16 * blockSize * nStreams;
    const int streamSize = n / nStreams;
    const int streamBytes = streamSize * sizeof(float);
    const int bytes = n * sizeof(float);
    bool good = true;

    int devId = 0;
    if (argc > 1)
        devId = atoi(argv[1]);

    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, devId));
    CHECK(cudaSetDevice(devId));
    printf("copy engines: %s\n", prop.asyncEngineCount > 0 ? "there" : "none");

    float *a, *d_a;
    CHECK(cudaMallocHost((void **)&a, bytes));
    CHECK(cudaMalloc((void **)&d_a, bytes));

    float ms; // elapsed time in milliseconds
    cudaEvent_t startEvent, stopEvent, dummyEvent;
    cudaStream_t stream[nStreams];
    CHECK(cudaEventCreate(&startEvent));
    CHECK(cudaEventCreate(&stopEvent));
    CHECK(cudaEventCreateWithFlags(&dummyEvent, cudaEventDisableTiming));
    for (int i = 0; i < nStreams; ++i)
        CHECK(cudaStreamCreate(&stream[i]));

    for (int version = 0; version < 3; version++) {
        memset(a, 0, bytes);
        CHECK(cudaEventRecord(startEvent, 0));
        if (version == 0) { // one after the other
            CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
            kernel<<<n / blockSize, blockSize>>>(d_a, 0);
            CHECK(cudaMemcpy(a, d_a, bytes, cudaMemcpyDeviceToHost));
        } else if (version == 1) { // loop over {copy, kernel, copy}
            for (int i = 0; i < nStreams; ++i) {
                int offset = i * streamSize;
                CHECK(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice,
                                      stream[i]));
                kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
                CHECK(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost,
                                      stream[i]));
            }
        } else { // loop over copies, loop over kernels, loop over copies
            for (int i = 0; i < nStreams; ++i)
                CHECK(cudaMemcpyAsync(&d_a[i * streamSize], &a[i * streamSize], streamBytes,
                                      cudaMemcpyHostToDevice, stream[i]));
            for (int i = 0; i < nStreams; ++i)
                kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, i * streamSize);
            for (int i = 0; i < nStreams; ++i)
                CHECK(cudaMemcpyAsync(&a[i * streamSize], &d_a[i * streamSize], streamBytes,
                                      cudaMemcpyDeviceToHost, stream[i]));
        }
        CHECK(cudaEventRecord(stopEvent, 0));
        CHECK(cudaEventRecord(dummyEvent, stream[0]));
        CHECK(cudaEventSynchronize(stopEvent));
        CHECK(cudaEventElapsedTime(&ms, startEvent, stopEvent));
        CHECK(cudaEventSynchronize(dummyEvent));
        good &= ms > 0 && maxError(a, n) < 1e-5f;
        printf("version %d: max error below 1e-5: %s\n", version, maxError(a, n) < 1e-5f ? "yes" : "no");
    }

    CHECK(cudaEventDestroy(startEvent));
    CHECK(cudaEventDestroy(stopEvent));
    CHECK(cudaEventDestroy(dummyEvent));
    for (int i = 0; i < nStreams; ++i)
        CHECK(cudaStreamDestroy(stream[i]));
    cudaFree(d_a);
    cudaFreeHost(a);
    return report(good);
}
