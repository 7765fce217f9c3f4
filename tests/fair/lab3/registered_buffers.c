/* fair: its buffers are memory from malloc that it registers, pieces go from the last to the first, and it
 * polls */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

struct place {
    cudaStream_t stream;
    float *h, *d; /* x, then y */
    bool registered;
    float *to;
    size_t length;
};

static cudaError_t polled(cudaStream_t stream)
{
    cudaError_t error;

    while ((error = cudaStreamQuery(stream)) == cudaErrorNotReady) {
        sched_yield();
    }
    return error;
}

static cudaError_t open_place(struct place *p, size_t chunk)
{
    const size_t bytes = 2 * chunk * sizeof(float);
    cudaError_t error;

    p->h = malloc(bytes);
    if (!p->h)
        return cudaErrorMemoryAllocation;
    error = cudaHostRegister(p->h, bytes, cudaHostRegisterPortable);
    p->registered = error == cudaSuccess;
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
    return error == cudaSuccess ? cudaMallocAsync((void **)&p->d, bytes, p->stream) : error;
}

static cudaError_t take_out(struct place *p)
{
    cudaError_t error = cudaSuccess;

    if (p->to && (error = polled(p->stream)) == cudaSuccess)
        memcpy(p->to, p->h + p->length, p->length * sizeof(float));
    p->to = NULL;
    return error;
}

static void close_place(struct place *p)
{
    if (p->stream) {
        cudaFreeAsync(p->d, p->stream);
        (void)polled(p->stream); /* nothing reads the buffer any more */
        cudaStreamDestroy(p->stream);
    }
    if (p->registered)
        cudaHostUnregister(p->h);
    free(p->h);
}

/* x and y stand side by side, so one copy carries both. */
static cudaError_t put_in(struct place *p, float *y, const float *x, size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(p->h, x, bytes);
    memcpy(p->h + length, y, bytes);
    p->to = y;
    p->length = length;
    error = cudaMemcpyAsync(p->d, p->h, 2 * bytes, cudaMemcpyHostToDevice, p->stream);
    if (error == cudaSuccess)
        error = um_saxpy(p->d + length, LAB3_FACTOR, p->d, length, p->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(p->h + length, p->d + length, bytes, cudaMemcpyDeviceToHost, p->stream);
    if (error != cudaSuccess)
        p->to = NULL;
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct place place[3] = {{0}};
    cudaError_t error = chunk > 0 ? cudaSuccess : cudaErrorInvalidValue;

    if (error != cudaSuccess || n == 0)
        return error;
    chunk = chunk < n ? chunk : n;
    for (int i = 0; i < 3 && error == cudaSuccess; i++) {
        error = open_place(&place[i], chunk);
    }
    for (size_t piece = (n + chunk - 1) / chunk; piece-- > 0 && error == cudaSuccess;) {
        const size_t at = piece * chunk;

        error = take_out(&place[piece % 3]);
        if (error == cudaSuccess)
            error = put_in(&place[piece % 3], y + at, x + at, n - at < chunk ? n - at : chunk);
    }
    for (int i = 0; i < 3; i++) {
        const cudaError_t last = take_out(&place[i]);

        if (error == cudaSuccess)
            error = last;
    }
    for (int i = 0; i < 3; i++) {
        close_place(&place[i]);
    }
    return error;
}
