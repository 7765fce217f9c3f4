// kind: race
// at: @message or @received
// A relaxed store of a flag releases nothing: the message may come behind it.
#include <cuda/atomic>

struct Channel {
    int message[4];
    cuda::atomic<int, cuda::thread_scope_device> full;
};

__global__ void talk(Channel *channel, int *out, bool bad)
{
    if (blockIdx.x == 0) {
        for (int i = 0; i < 4; i++)
            channel->message[i] = i + 10; // @message
        channel->full.store(1, bad ? cuda::memory_order_relaxed : cuda::memory_order_release);
        return;
    }
    for (int turn = 0; turn < 100000; turn++)
        if (channel->full.load(cuda::memory_order_acquire)) {
            for (int i = 0; i < 4; i++)
                out[i] = channel->message[i]; // @received
            break;
        }
}

int main(int argc, char **)
{
    Channel *channel;
    int *out;
    cudaMalloc(&channel, sizeof *channel);
    cudaMemset(channel, 0, sizeof *channel);
    cudaMallocManaged(&out, 4 * sizeof *out);
    talk<<<2, 1>>>(channel, out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(channel);
    cudaFree(out);
    return 0;
}
