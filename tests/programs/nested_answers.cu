/*
 * nested_answers.cu: what CUDA's runtime answers in device code: errors of launches, limits, streams. Prints
 * all of them, so that a GPU's can be put beside the simulator's; checks what an H200 answered (driver 580,
 * CUDA 13.0). Times are printed only.
 */
#include <cuda_runtime.h>
#include <cstdio>

struct Answers {
    cudaError_t no_threads, wide_block, no_stream_flags, fine, unknown_event, last, last_again, too_many;
    int waiting, deepest, tails, runtime, device;
    cudaError_t depth_error;
};

__global__ void nothing()
{
}

__global__ void deeper(Answers *a, int depth)
{
    a->deepest = depth;
    deeper<<<1, 1>>>(a, depth + 1);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        a->depth_error = error;
}

__global__ void again(Answers *a, int left)
{
    a->tails++;
    if (left > 0)
        again<<<1, 1, 0, cudaStreamTailLaunch>>>(a, left - 1);
}

__global__ void ask(Answers *a, int many)
{
    cudaStream_t stream;
    nothing<<<1, 0>>>();
    a->no_threads = cudaGetLastError();
    nothing<<<1, 4096>>>();
    a->wide_block = cudaGetLastError();
    a->no_stream_flags = cudaStreamCreateWithFlags(&stream, 0);
    cudaGetLastError();
    a->fine = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    nothing<<<1, 1, 0, stream>>>();
    cudaStreamDestroy(stream);
    nothing<<<1, 4096>>>();
    a->last = cudaPeekAtLastError();
    nothing<<<1, 1>>>();
    a->last_again = cudaGetLastError();
    cudaRuntimeGetVersion(&a->runtime);
    cudaGetDevice(&a->device);
    a->waiting = 0;
    for (int i = 0; i < many && cudaPeekAtLastError() == cudaSuccess; i++, a->waiting++)
        nothing<<<1, 1>>>();
    a->too_many = cudaGetLastError();
}

/* Many threads at once, each with a child. */
__global__ void crowd(int *refused)
{
    nothing<<<1, 1>>>();
    if (cudaGetLastError() != cudaSuccess)
        atomicAdd(refused, 1);
}

/* Children of one block's stream, one behind the other. */
__global__ void row_of(int n)
{
    for (int i = 0; i < n; i++)
        nothing<<<1, 1>>>();
}

static float time_of_row(int n)
{
    cudaEvent_t before, after;
    float ms = 0;
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    for (int round = 0; round < 3; round++) {
        cudaEventRecord(before);
        row_of<<<1, 1>>>(n);
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        cudaEventElapsedTime(&ms, before, after);
    }
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    return ms;
}

int main()
{
    Answers *a;
    if (cudaMallocManaged(&a, sizeof *a) != cudaSuccess)
        return 2;
    ask<<<1, 1>>>(a, 5000);
    cudaError_t error = cudaDeviceSynchronize();
    printf("ask: %s\n", cudaGetErrorName(error));
    printf("a block of 0 threads: %s\n", cudaGetErrorName(a->no_threads));
    printf("a block of 4096 threads: %s\n", cudaGetErrorName(a->wide_block));
    printf("a stream with the flags 0: %s\n", cudaGetErrorName(a->no_stream_flags));
    printf("a stream that does not block: %s\n", cudaGetErrorName(a->fine));
    printf("the last error: %s; behind a launch that went well: %s\n", cudaGetErrorName(a->last),
           cudaGetErrorName(a->last_again));
    printf("after %d launches of 5000: %s\n", a->waiting, cudaGetErrorName(a->too_many));
    printf("device %d, runtime %d\n", a->device, a->runtime);
    bool good = error == cudaSuccess && a->no_threads != cudaSuccess && a->wide_block != cudaSuccess &&
                a->no_stream_flags == cudaSuccess && a->waiting == 5000 && a->too_many == cudaSuccess &&
                a->fine == cudaSuccess && a->last != cudaSuccess && a->last_again == a->last &&
                a->device == 0 && a->runtime == 6000;

    deeper<<<1, 1>>>(a, 1);
    error = cudaDeviceSynchronize();
    printf("deepest: level %d, then %s; the host: %s\n", a->deepest, cudaGetErrorName(a->depth_error),
           cudaGetErrorName(error));
    good = good && error == cudaSuccess && a->deepest == 2049 &&
           a->depth_error == cudaErrorLaunchPendingCountExceeded;

    a->tails = 0;
    again<<<1, 1>>>(a, 99);
    error = cudaDeviceSynchronize();
    printf("tail launches one behind the other: %d of 100; the host: %s\n", a->tails,
           cudaGetErrorName(error));
    good = good && error == cudaSuccess && a->tails == 100;

    cudaEvent_t before, after;
    float none = 0, hundred = 0;
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    for (int round = 0; round < 3; round++) {
        cudaEventRecord(before);
        again<<<1, 1>>>(a, 0);
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        cudaEventElapsedTime(&none, before, after);
        cudaEventRecord(before);
        again<<<1, 1>>>(a, 100);
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        cudaEventElapsedTime(&hundred, before, after);
    }
    printf("a tail launch takes %.2f us\n", (double)(hundred - none) * 10);
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    printf("a child in the block's stream takes %.2f us\n", (double)(time_of_row(1000) - time_of_row(0)));
    a->waiting = 0;
    crowd<<<64, 128>>>(&a->waiting);
    error = cudaDeviceSynchronize();
    printf("of 8192 threads with a child each %d were refused; the host: %s\n", a->waiting,
           cudaGetErrorName(error));
    cudaFree(a);
    printf("Test %s\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
