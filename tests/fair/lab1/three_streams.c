/* fair: each array comes by a stream of its own, events join them, and the last event is waited for */
#include "exercise.h"

enum { STREAMS = 3 };

struct ways {
    cudaStream_t stream[STREAMS];
    cudaEvent_t there[STREAMS];
};

static cudaError_t open_ways(struct ways *ways)
{
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < STREAMS && error == cudaSuccess; i++) {
        error = cudaStreamCreateWithFlags(&ways->stream[i], cudaStreamNonBlocking);
        if (error == cudaSuccess)
            error = cudaEventCreate(&ways->there[i]);
    }
    return error;
}

static void close_ways(struct ways *ways)
{
    for (int i = STREAMS; i-- > 0;) {
        if (ways->there[i])
            cudaEventDestroy(ways->there[i]);
        if (ways->stream[i])
            cudaStreamDestroy(ways->stream[i]);
    }
}

/* An array on its way in way i; way 2 is going to wait for it. */
static cudaError_t send(struct ways *ways, int i, float *d, const float *h, size_t bytes)
{
    cudaError_t error = cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, ways->stream[i]);

    if (error == cudaSuccess)
        error = cudaEventRecord(ways->there[i], ways->stream[i]);
    return error == cudaSuccess ? cudaStreamWaitEvent(ways->stream[2], ways->there[i], 0) : error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    struct ways ways = {{NULL}, {NULL}};
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = open_ways(&ways);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_c, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_b, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&d_a, bytes);
    if (error == cudaSuccess)
        error = send(&ways, 1, d_b, b, bytes);
    if (error == cudaSuccess)
        error = send(&ways, 0, d_a, a, bytes);
    if (error == cudaSuccess)
        error = um_vector_add(d_c, d_a, d_b, n, ways.stream[2]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(c, d_c, bytes, cudaMemcpyDeviceToHost, ways.stream[2]);
    if (error == cudaSuccess)
        error = cudaEventRecord(ways.there[2], ways.stream[2]);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(ways.there[2]);
    close_ways(&ways);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
