// A double-buffered pipeline: more data than the device buffers hold, two streams that take turns, an event
// that says when a buffer may be filled again, and the result checked chunk by chunk.
#include "common.h"
#include <algorithm>

namespace pipeline
{
constexpr int CHUNK = 1 << 12;
constexpr int CHUNKS = 13;
constexpr int BUFFERS = 2;

struct Stage {
    cudaStream_t stream{};
    cudaEvent_t free{};
    int *in{}, *out{};

    Stage()
    {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&free, cudaEventDisableTiming));
        CHECK(cudaMalloc(&in, CHUNK * sizeof(int)));
        CHECK(cudaMalloc(&out, CHUNK * sizeof(int)));
    }
    ~Stage()
    {
        cudaFree(in);
        cudaFree(out);
        cudaEventDestroy(free);
        cudaStreamDestroy(stream);
    }
    Stage(const Stage &) = delete;
    Stage &operator=(const Stage &) = delete;
};

__global__ void collatz(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long value = in[i];
    int steps = 0;
    while (value != 1) {
        value = (value & 1) ? 3 * value + 1 : value / 2;
        steps++;
    }
    out[i] = steps;
}
} // namespace pipeline

static int collatzOnHost(long long value)
{
    int steps = 0;
    for (; value != 1; steps++)
        value = value % 2 ? 3 * value + 1 : value / 2;
    return steps;
}

int main()
{
    using namespace pipeline;
    const int n = CHUNK * CHUNKS - 100;
    int *in, *out;
    CHECK(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocWriteCombined));
    CHECK(cudaMallocHost(&out, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        in[i] = i + 1;

    {
        Stage stages[BUFFERS];
        for (int c = 0; c < CHUNKS; c++) {
            Stage &s = stages[c % BUFFERS];
            const int first = c * CHUNK, count = std::min(CHUNK, n - first);
            CHECK(cudaStreamWaitEvent(s.stream, s.free, 0));
            CHECK(cudaMemcpyAsync(s.in, in + first, count * sizeof(int), cudaMemcpyHostToDevice, s.stream));
            collatz<<<(count + 127) / 128, 128, 0, s.stream>>>(s.in, s.out, count);
            CHECK(cudaMemcpyAsync(out + first, s.out, count * sizeof(int), cudaMemcpyDeviceToHost, s.stream));
            CHECK(cudaEventRecord(s.free, s.stream));
        }
        for (auto &s : stages)
            CHECK(cudaStreamSynchronize(s.stream));
    }

    int wrong = 0;
    for (int i = 0; i < n; i += 7)
        wrong += out[i] != collatzOnHost(i + 1);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    printf("%d wrong\n", wrong);
    return report(wrong == 0);
}
