/* mutant: one stream, and an event for each buffer: right; fails: nothing */
#include "exercise.h"

/* A buffer, and an event behind the last thing that was asked of it. */
struct place {
    cudaEvent_t through;
    void *buffer;
    char *to;
    size_t length;
};

static cudaError_t place_empty(struct place *place, const struct lab9_pipe *pipe)
{
    const size_t length = place->length;
    const cudaError_t error = length > 0 ? cudaEventSynchronize(place->through) : cudaSuccess;

    place->length = 0;
    if (error == cudaSuccess && length > 0 && place->to != NULL)
        pipe->host_copy(place->to, place->buffer, length);
    return error;
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    struct place place[LAB9_BUFFERS_MAX] = {{0}};
    cudaStream_t stream = NULL;
    const bool up = kind == cudaMemcpyHostToDevice;
    cudaError_t error = cudaSuccess;
    int next = 0;

    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk == 0)
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes < pipe->small)
        return cudaMemcpy(to, from, bytes, kind);
    error = cudaStreamCreate(&stream);
    for (int i = 0; i < pipe->buffers && error == cudaSuccess; i++) {
        error = cudaEventCreateWithFlags(&place[i].through, cudaEventDisableTiming);
        if (error == cudaSuccess)
            error = cudaMallocHost(&place[i].buffer, pipe->chunk);
    }
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += pipe->chunk) {
        const size_t length = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;

        error = place_empty(&place[next], pipe);
        if (error != cudaSuccess)
            break;
        place[next].to = up ? NULL : (char *)to + at;
        place[next].length = length;
        if (up)
            pipe->host_copy(place[next].buffer, (const char *)from + at, length);
        error = cudaMemcpyAsync(up ? (char *)to + at : place[next].buffer,
                                up ? place[next].buffer : (const void *)((const char *)from + at), length,
                                kind, stream);
        if (error == cudaSuccess)
            error = cudaEventRecord(place[next].through, stream);
        next = (next + 1) % pipe->buffers;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        const cudaError_t last = place_empty(&place[(next + i) % pipe->buffers], pipe);

        if (error == cudaSuccess)
            error = last;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        cudaFreeHost(place[i].buffer);
        if (place[i].through != NULL)
            cudaEventDestroy(place[i].through);
    }
    if (stream != NULL)
        cudaStreamDestroy(stream);
    return error;
}
