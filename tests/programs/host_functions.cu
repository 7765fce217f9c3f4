/**
 * @file host_functions.cu
 * @brief cudaLaunchHostFunc and cudaStreamAddCallback: called in their stream's order, once, with what they
 * were given.
 *
 * A host function sees what the operations before it did; what is behind it waits for it, even when it takes
 * long, or waits itself for another host thread. Exit 0 when all of that holds.
 */
#include "need.h"

#include <atomic>
#include <chrono>
#include <thread>

enum { LENGTH = 1000, STEPS = 20 };

__global__ void fill(int *x, int value)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < LENGTH)
        x[i] = value;
}

struct step {
    const int *copied; /* pinned, filled by the copy before the host function */
    int expected, seen;
};

static std::atomic<int> calls, callbacks;
static std::atomic<bool> gate_open, gate_reached;

static void look(void *data)
{
    struct step *step = (struct step *)data;
    step->seen = step->copied[LENGTH - 1];
    calls++;
}

static void order_in_a_stream()
{
    static struct step steps[STEPS];
    cudaStream_t stream;
    int *device, *copied;
    NEED(cudaStreamCreate(&stream));
    NEED(cudaMalloc((void **)&device, LENGTH * sizeof *device));
    NEED(cudaMallocHost((void **)&copied, LENGTH * sizeof *copied));
    for (int s = 0; s < STEPS; s++) {
        steps[s] = (struct step){copied, 100 + s, -1};
        fill<<<(LENGTH + 255) / 256, 256, 0, stream>>>(device, 100 + s);
        NEED(cudaMemcpyAsync(copied, device, LENGTH * sizeof *copied, cudaMemcpyDeviceToHost, stream));
        NEED(cudaLaunchHostFunc(stream, look, &steps[s]));
    }
    NEED(cudaStreamSynchronize(stream));
    HOLDS(calls == STEPS, "%d calls", (int)calls);
    for (int s = 0; s < STEPS; s++)
        HOLDS(steps[s].seen == steps[s].expected, "step %d saw %d", s, steps[s].seen);
    NEED(cudaStreamDestroy(stream));
    NEED(cudaFree(device));
    NEED(cudaFreeHost(copied));
}

static void wait_at_gate(void *)
{
    gate_reached = true;
    while (!gate_open)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/* The stream waits while a host function waits for another host thread; that thread may use CUDA meanwhile.
 */
static void waiting_for_another_thread()
{
    cudaStream_t stream;
    int *device, *other, back = 0;
    NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    NEED(cudaMalloc((void **)&device, LENGTH * sizeof *device));
    NEED(cudaMalloc((void **)&other, sizeof *other));
    NEED(cudaMemset(device, 0, LENGTH * sizeof *device));
    NEED(cudaDeviceSynchronize());
    NEED(cudaLaunchHostFunc(stream, wait_at_gate, NULL));
    fill<<<(LENGTH + 255) / 256, 256, 0, stream>>>(device, 7);
    std::thread opener([&] {
        while (!gate_reached)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        NEED_ERROR(cudaStreamQuery(stream), cudaErrorNotReady);
        struct cudaPointerAttributes
            attributes; /* cudaMalloc and related calls may wait for the device: this does not */
        NEED(cudaPointerGetAttributes(&attributes, other));
        HOLDS(attributes.type == cudaMemoryTypeDevice, "type %d", (int)attributes.type);
        gate_open = true;
    });
    NEED(cudaStreamSynchronize(stream));
    opener.join();
    NEED(cudaMemcpy(&back, device + LENGTH - 1, sizeof back, cudaMemcpyDeviceToHost));
    HOLDS(back == 7, "%d", back);
    NEED(cudaStreamDestroy(stream));
    NEED(cudaFree(device));
    NEED(cudaFree(other));
}

static void CUDART_CB note(cudaStream_t stream, cudaError_t status, void *data)
{
    HOLDS(status == cudaSuccess, "status %d", (int)status);
    HOLDS(*(cudaStream_t *)data == stream, "another stream");
    callbacks++;
}

static void callbacks_know_their_stream()
{
    static cudaStream_t stream;
    NEED(cudaStreamCreate(&stream));
    for (int i = 0; i < STEPS; i++)
        NEED(cudaStreamAddCallback(stream, note, &stream, 0));
    NEED(cudaStreamSynchronize(stream));
    HOLDS(callbacks == STEPS, "%d callbacks", (int)callbacks);
    NEED_ERROR(cudaStreamAddCallback(stream, note, &stream, 1), cudaErrorInvalidValue);
    NEED_ERROR(cudaLaunchHostFunc(stream, NULL, NULL), cudaErrorInvalidValue);
    cudaGetLastError();
    NEED(cudaStreamDestroy(stream));
}

int main()
{
    order_in_a_stream();
    waiting_for_another_thread();
    callbacks_know_their_stream();
    printf("%d host functions, %d callbacks, all in order\n", (int)calls, (int)callbacks);
    return 0;
}
