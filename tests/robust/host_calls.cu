/**
 * @file host_calls.cu
 * @brief CUDA calls in functions that streams call: what an H200 answered (tests/conformance/host_function.c
 * asks it), and that none of them waits for ever.
 */
#include "robust.h"

#include <atomic>

struct answers {
    std::atomic<int> malloc{-1}, device{-1}, stream{-1}, launch{-1};
    int *managed = NULL;
};

static void call_all(answers *a)
{
    void *p = NULL;

    a->malloc = cudaMalloc(&p, 100);
    a->device = cudaDeviceSynchronize();
    a->stream = cudaStreamSynchronize(0);
    add_to_all<<<1, 1>>>(a->managed, 1, 1);
    a->launch = cudaGetLastError();
    a->managed[1] += 1; /* memory is not CUDA's to refuse */
}

static void host_function(void *data)
{
    call_all((answers *)data);
}

static void CUDART_CB callback(cudaStream_t, cudaError_t, void *data)
{
    call_all((answers *)data);
}

static void judge(const answers &a, cudaStream_t stream)
{
    NEED(cudaStreamSynchronize(stream));
    HOLDS(a.malloc == cudaErrorNotPermitted, "cudaMalloc: %s",
          cudaGetErrorName((cudaError_t)a.malloc.load()));
    HOLDS(a.device == cudaErrorNotPermitted, "cudaDeviceSynchronize: %d", a.device.load());
    HOLDS(a.stream == cudaErrorNotPermitted, "cudaStreamSynchronize: %d", a.stream.load());
    HOLDS(a.launch == cudaErrorNotPermitted, "a launch: %d", a.launch.load());
    HOLDS(a.managed[0] == 0 && a.managed[1] == 1, "%d %d", a.managed[0], a.managed[1]);
    gpu_works("after it");
}

static void in_a_host_function()
{
    answers a;
    cudaStream_t stream;

    a.managed = managed_ints(1024);
    to_gpu(a.managed, 4096);
    NEED(cudaStreamCreate(&stream));
    NEED(cudaLaunchHostFunc(stream, host_function, &a));
    judge(a, stream);
}

static void in_a_callback()
{
    answers a;
    cudaStream_t stream;

    a.managed = managed_ints(1024);
    to_gpu(a.managed, 4096);
    NEED(cudaStreamCreate(&stream));
    NEED(cudaStreamAddCallback(stream, callback, &a, 0));
    judge(a, stream);
}

static void wait_a_little(void *data)
{
    robust_sleep_ms(1);
    ++*(int *)data;
}

/* Hundreds of them between kernels, in three streams: in order, and none is lost. */
static void hundreds_between_kernels()
{
    enum { STREAMS = 3, ROUNDS = 100 };
    cudaStream_t streams[STREAMS];
    int *x[STREAMS];

    for (int s = 0; s < STREAMS; s++) {
        NEED(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        x[s] = managed_ints(1024);
    }
    for (int i = 0; i < ROUNDS; i++)
        for (int s = 0; s < STREAMS; s++) {
            add_to_all<<<4, 256, 0, streams[s]>>>(x[s], 1, 1024);
            NEED(cudaLaunchHostFunc(streams[s], wait_a_little, x[s] + s));
        }
    NEED(cudaDeviceSynchronize());
    for (int s = 0; s < STREAMS; s++)
        for (int i = 0; i < 1024; i++)
            HOLDS(x[s][i] == ROUNDS * (1 + (i == s)), "stream %d, element %d: %d", s, i, x[s][i]);
}

static void add_to_each_page(void *data)
{
    for (int i = 0; i < 1024 * 16; i += 1024)
        ((int *)data)[i] += 1;
}

/* The stream is asked, not waited for: so it is a thread of CUDA's that calls the function and touches the
 * pages. */
static void touches_managed_memory_while_main_polls()
{
    int *x = managed_ints(1024 * 16);
    cudaError_t error;

    for (int turn = 1; turn <= 20; turn++) {
        to_gpu(x, 1024 * 16 * sizeof *x);
        NEED(cudaLaunchHostFunc(0, add_to_each_page, x));
        while ((error = cudaStreamQuery(0)) == cudaErrorNotReady) {
        }
        NEED(error);
        HOLDS(x[0] == turn && x[1024 * 15] == turn, "turn %d: %d, %d", turn, x[0], x[1024 * 15]);
    }
}

ROBUST_CASES({"in-a-host-function", in_a_host_function}, {"in-a-callback", in_a_callback},
             {"hundreds-between-kernels", hundreds_between_kernels},
             {"touches-managed-while-main-polls", touches_managed_memory_while_main_polls})
