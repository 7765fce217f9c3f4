/* fair: from the last chunk to the first; buffers are registered memory of the heap; it asks until a buffer
 * is free */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

struct box {
    cudaStream_t stream;
    void *memory;
    int is_registered;
    char *to; /* NULL: nothing to be taken out */
    size_t bytes;
};

static cudaError_t open_box(struct box *box, size_t chunk)
{
    cudaError_t error = cudaStreamCreateWithFlags(&box->stream, cudaStreamDefault);

    if (error != cudaSuccess)
        return error;
    box->memory = malloc(chunk);
    if (!box->memory)
        return cudaErrorMemoryAllocation;
    error = cudaHostRegister(box->memory, chunk, cudaHostRegisterDefault);
    box->is_registered = error == cudaSuccess;
    return error;
}

static cudaError_t empty_box(struct box *box, const struct lab9_pipe *pipe)
{
    cudaError_t error;

    while ((error = cudaStreamQuery(box->stream)) == cudaErrorNotReady) {
        sched_yield();
    }
    if (error == cudaSuccess && box->to)
        pipe->host_copy(box->to, box->memory, box->bytes);
    box->to = NULL;
    return error;
}

static cudaError_t send_by(struct box *box, char *to, const char *from, size_t bytes,
                           enum cudaMemcpyKind kind, const struct lab9_pipe *pipe)
{
    cudaError_t error = empty_box(box, pipe);

    if (error != cudaSuccess)
        return error;
    if (kind == cudaMemcpyHostToDevice) {
        pipe->host_copy(box->memory, from, bytes);
        return cudaMemcpyAsync(to, box->memory, bytes, kind, box->stream);
    }
    error = cudaMemcpyAsync(box->memory, from, bytes, kind, box->stream);
    box->to = error == cudaSuccess ? to : NULL;
    box->bytes = bytes;
    return error;
}

static void close_box(struct box *box)
{
    if (box->stream) {
        (void)cudaStreamSynchronize(box->stream);
        (void)cudaStreamDestroy(box->stream);
    }
    if (box->is_registered)
        (void)cudaHostUnregister(box->memory);
    free(box->memory);
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    struct box box[LAB9_BUFFERS_MAX];
    cudaError_t error = cudaSuccess;
    size_t chunks;

    switch (kind) {
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
        break;
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
    if (pipe->buffers <= 0 || pipe->buffers > LAB9_BUFFERS_MAX || !pipe->chunk)
        return cudaErrorInvalidValue;
    if (!bytes)
        return cudaSuccess;
    if (bytes < pipe->small)
        return cudaMemcpy(to, from, bytes, kind);
    memset(box, 0, sizeof box);
    for (int i = 0; i < pipe->buffers && error == cudaSuccess; i++) {
        error = open_box(&box[i], pipe->chunk);
    }
    for (chunks = (bytes - 1) / pipe->chunk + 1; chunks > 0 && error == cudaSuccess; chunks--) {
        const size_t at = (chunks - 1) * pipe->chunk, rest = bytes - at;

        error = send_by(&box[chunks % (size_t)pipe->buffers], (char *)to + at, (const char *)from + at,
                        rest < pipe->chunk ? rest : pipe->chunk, kind, pipe);
    }
    for (size_t i = 0; i < (size_t)pipe->buffers && error == cudaSuccess; i++) {
        error = empty_box(&box[((size_t)pipe->buffers - i) % (size_t)pipe->buffers], pipe);
    }
    for (int i = 0; i < pipe->buffers; i++) {
        close_box(&box[i]);
    }
    return error;
}
