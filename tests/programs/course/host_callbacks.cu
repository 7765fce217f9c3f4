// Host functions in a stream, by cudaLaunchHostFunc and by the older cudaStreamAddCallback: each runs when
// what was queued before it is done, and what is queued behind it waits.
#include "common.h"
#include <atomic>

const int STREAMS = 3, N = 1000;

struct Work {
    int id;
    int *host, *device;
    int seen;
    std::atomic<int> *finished;
};

__global__ void add(int *data, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        data[i] += value;
}

void CUDART_CB between(void *data)
{
    Work *w = static_cast<Work *>(data);
    w->seen = w->host[N - 1]; // the first copy back has come
    for (int i = 0; i < N; i++)
        w->host[i] *= 2;
}

void CUDART_CB done(cudaStream_t stream, cudaError_t status, void *data)
{
    Work *w = (Work *)data;
    if (stream != nullptr && status == cudaSuccess)
        w->finished->fetch_add(w->id);
}

int main()
{
    std::atomic<int> finished{0};
    cudaStream_t streams[STREAMS];
    Work work[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
        CHECK(cudaStreamCreate(&streams[s]));
        work[s].id = s + 1;
        work[s].seen = -1;
        work[s].finished = &finished;
        CHECK(cudaMallocHost(&work[s].host, N * sizeof(int)));
        CHECK(cudaMalloc(&work[s].device, N * sizeof(int)));
    }
    for (int s = 0; s < STREAMS; s++) {
        Work &w = work[s];
        for (int i = 0; i < N; i++)
            w.host[i] = i;
        size_t bytes = N * sizeof(int);
        CHECK(cudaMemcpyAsync(w.device, w.host, bytes, cudaMemcpyHostToDevice, streams[s]));
        add<<<(N + 255) / 256, 256, 0, streams[s]>>>(w.device, 10 * w.id);
        CHECK(cudaMemcpyAsync(w.host, w.device, bytes, cudaMemcpyDeviceToHost, streams[s]));
        CHECK(cudaLaunchHostFunc(streams[s], between, &w));
        CHECK(cudaMemcpyAsync(w.device, w.host, bytes, cudaMemcpyHostToDevice, streams[s]));
        add<<<(N + 255) / 256, 256, 0, streams[s]>>>(w.device, 1);
        CHECK(cudaMemcpyAsync(w.host, w.device, bytes, cudaMemcpyDeviceToHost, streams[s]));
        CHECK(cudaStreamAddCallback(streams[s], done, &w, 0));
    }
    CHECK(cudaDeviceSynchronize());
    bool good = finished == 1 + 2 + 3;
    for (Work &w : work) {
        good &= w.seen == N - 1 + 10 * w.id;
        for (int i = 0; i < N; i++)
            good &= w.host[i] == 2 * (i + 10 * w.id) + 1;
        CHECK(cudaFreeHost(w.host));
        CHECK(cudaFree(w.device));
    }
    for (cudaStream_t s : streams)
        CHECK(cudaStreamDestroy(s));
    return report(good);
}
