/* fair: a slot's way there and back is a graph, captured once and launched for each whole piece */
#include <string.h>

#include "exercise.h"

struct shuttle {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *h_x, *h_y, *d_x, *d_y, *to;
    size_t length;
};

static cudaError_t queue(const struct shuttle *s, size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error = cudaMemcpyAsync(s->d_x, s->h_x, bytes, cudaMemcpyHostToDevice, s->stream);

    if (error == cudaSuccess)
        error = cudaMemcpyAsync(s->d_y, s->h_y, bytes, cudaMemcpyHostToDevice, s->stream);
    if (error == cudaSuccess)
        error = um_saxpy(s->d_y, LAB3_FACTOR, s->d_x, length, s->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(s->h_y, s->d_y, bytes, cudaMemcpyDeviceToHost, s->stream);
    return error;
}

static cudaError_t capture(struct shuttle *s, size_t length)
{
    cudaError_t error = cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeGlobal), ended;

    if (error != cudaSuccess)
        return error;
    error = queue(s, length);
    ended = cudaStreamEndCapture(s->stream, &s->graph);
    if (error == cudaSuccess)
        error = ended;
    return error == cudaSuccess ? cudaGraphInstantiate(&s->exec, s->graph, 0) : error;
}

static cudaError_t shuttle_open(struct shuttle *s, size_t chunk)
{
    const size_t bytes = chunk * sizeof(float);
    cudaError_t error = cudaMallocHost((void **)&s->h_x, bytes);

    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&s->h_y, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&s->d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&s->d_y, bytes);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking);
    return error == cudaSuccess ? capture(s, chunk) : error;
}

static void shuttle_close(struct shuttle *s)
{
    if (s->stream) {
        cudaStreamSynchronize(s->stream);
        cudaStreamDestroy(s->stream);
    }
    if (s->exec)
        cudaGraphExecDestroy(s->exec);
    if (s->graph)
        cudaGraphDestroy(s->graph);
    cudaFree(s->d_y);
    cudaFree(s->d_x);
    cudaFreeHost(s->h_y);
    cudaFreeHost(s->h_x);
}

static cudaError_t shuttle_empty(struct shuttle *s)
{
    cudaError_t error = cudaSuccess;

    if (s->to)
        error = cudaStreamSynchronize(s->stream);
    if (s->to && error == cudaSuccess)
        memcpy(s->to, s->h_y, s->length * sizeof(float));
    s->to = NULL;
    return error;
}

static cudaError_t shuttle_fill(struct shuttle *s, float *y, const float *x, size_t length, size_t chunk)
{
    cudaError_t error;

    memcpy(s->h_x, x, length * sizeof *x);
    memcpy(s->h_y, y, length * sizeof *y);
    error = length == chunk ? cudaGraphLaunch(s->exec, s->stream) : queue(s, length);
    if (error == cudaSuccess)
        s->to = y;
    s->length = length;
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct shuttle slot[2] = {{0}, {0}};
    cudaError_t error = cudaSuccess;
    int s = 0;

    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    chunk = chunk < n ? chunk : n;
    if ((error = shuttle_open(&slot[0], chunk)) == cudaSuccess)
        error = shuttle_open(&slot[1], chunk);
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk, s = !s) {
        error = shuttle_empty(&slot[s]);
        if (error == cudaSuccess)
            error = shuttle_fill(&slot[s], y + at, x + at, n - at < chunk ? n - at : chunk, chunk);
    }
    for (int i = 0; i < 2 && error == cudaSuccess; i++) {
        error = shuttle_empty(&slot[i]);
    }
    shuttle_close(&slot[0]);
    shuttle_close(&slot[1]);
    return error;
}
