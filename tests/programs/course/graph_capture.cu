// A graph captured from a stream and replayed: many short kernels in a row, and a fork and join over two
// streams.
#include "common.h"

#define NSTEP 20
#define NKERNEL 10

__global__ void shortKernel(float *out_d, const float *in_d, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n)
        out_d[idx] = 1.5f * in_d[idx];
}

__global__ void accumulate(float *sum, const float *a, const float *b, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n)
        sum[idx] += a[idx] + b[idx];
}

int main()
{
    const int n = 2000, threads = 256, blocks = (n + threads - 1) / threads;
    const size_t bytes = n * sizeof(float);
    float *in, *out, *a, *b, *sum;
    CHECK(cudaMallocHost(&in, bytes));
    CHECK(cudaMallocHost(&out, bytes));
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&sum, bytes));
    for (int i = 0; i < n; i++)
        in[i] = i;
    cudaStream_t stream, other;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&other));
    cudaEvent_t fork, join;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CHECK(cudaMemset(sum, 0, bytes));
    CHECK(cudaDeviceSynchronize());

    bool graphCreated = false;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    for (int istep = 0; istep < NSTEP; istep++) {
        if (!graphCreated) {
            CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
            CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
            CHECK(cudaEventRecord(fork, stream));
            CHECK(cudaStreamWaitEvent(other, fork, 0));
            shortKernel<<<blocks, threads, 0, stream>>>(a, a, n);
            for (int ikrnl = 0; ikrnl < NKERNEL; ikrnl++)
                shortKernel<<<blocks, threads, 0, stream>>>(a, a, n);
            CHECK(cudaMemsetAsync(b, 0, bytes, other));
            CHECK(cudaEventRecord(join, other));
            CHECK(cudaStreamWaitEvent(stream, join, 0));
            accumulate<<<blocks, threads, 0, stream>>>(sum, a, b, n);
            CHECK(cudaMemcpyAsync(out, sum, bytes, cudaMemcpyDeviceToHost, stream));
            cudaStreamCaptureStatus status;
            CHECK(cudaStreamIsCapturing(stream, &status));
            if (status != cudaStreamCaptureStatusActive)
                return report(false);
            CHECK(cudaStreamEndCapture(stream, &graph));
            CHECK(cudaGraphInstantiate(&instance, graph, 0));
            graphCreated = true;
        }
        CHECK(cudaGraphLaunch(instance, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    bool good = nodes == 3 + NKERNEL + 1 + 1; // two copies, a memset, the kernels
    for (int i = 0; i < n; i++) {
        double expected = NSTEP * (double)i * pow(1.5, NKERNEL + 1);
        good &= fabs(out[i] - expected) <= 1e-4 * expected;
    }
    printf("%zu nodes\n", nodes);
    CHECK(cudaGraphExecDestroy(instance));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(sum));
    return report(good);
}
