/* fair: one stream of its own that waits for an event of the legacy stream, and an event for each buffer */
#include <string.h>

#include "exercise.h"

struct ring {
    cudaStream_t stream;
    cudaEvent_t begin, through[LAB9_BUFFERS_MAX];
    char *pinned;
    struct {
        char *to;
        size_t bytes;
    } held[LAB9_BUFFERS_MAX];
};

static cudaError_t open_ring(struct ring *ring, const struct lab9_pipe *pipe)
{
    cudaError_t error;

    (error =
         cudaHostAlloc((void **)&ring->pinned, (size_t)pipe->buffers * pipe->chunk, cudaHostAllocPortable)) ||
        (error = cudaStreamCreateWithFlags(&ring->stream, cudaStreamNonBlocking)) ||
        (error = cudaEventCreateWithFlags(&ring->begin, cudaEventDisableTiming)) ||
        (error = cudaEventRecord(ring->begin, cudaStreamLegacy)) ||
        (error = cudaStreamWaitEvent(ring->stream, ring->begin, 0));
    for (int i = 0; i < pipe->buffers && error == cudaSuccess; i++) {
        error = cudaEventCreateWithFlags(&ring->through[i], cudaEventDisableTiming | cudaEventBlockingSync);
    }
    return error;
}

static void close_ring(struct ring *ring, const struct lab9_pipe *pipe)
{
    for (int i = 0; i < pipe->buffers; i++) {
        if (ring->through[i])
            cudaEventDestroy(ring->through[i]);
    }
    if (ring->begin)
        cudaEventDestroy(ring->begin);
    if (ring->stream)
        cudaStreamDestroy(ring->stream);
    cudaFreeHost(ring->pinned); /* it waits for copies that are under way after an error */
}

/* Waits for buffer i, and empties it when the data is on its way home. */
static cudaError_t collect(struct ring *ring, int i, const struct lab9_pipe *pipe)
{
    const size_t bytes = ring->held[i].bytes;
    const cudaError_t error = bytes ? cudaEventSynchronize(ring->through[i]) : cudaSuccess;

    ring->held[i].bytes = 0;
    if (error == cudaSuccess && bytes && ring->held[i].to)
        pipe->host_copy(ring->held[i].to, ring->pinned + (size_t)i * pipe->chunk, bytes);
    return error;
}

static cudaError_t chunk_through(struct ring *ring, int i, char *to, const char *from, size_t bytes,
                                 enum cudaMemcpyKind kind, const struct lab9_pipe *pipe)
{
    char *buffer = ring->pinned + (size_t)i * pipe->chunk;
    const int up = kind == cudaMemcpyHostToDevice;
    cudaError_t error;

    if (up)
        pipe->host_copy(buffer, from, bytes);
    error = cudaMemcpyAsync(up ? to : buffer, up ? buffer : from, bytes, cudaMemcpyDefault, ring->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(ring->through[i], ring->stream);
    if (error == cudaSuccess)
        ring->held[i].to = up ? NULL : to, ring->held[i].bytes = bytes;
    return error;
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    struct ring ring;
    cudaError_t error;
    size_t at = 0;
    int i = 0;

    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk < 1)
        return cudaErrorInvalidValue;
    if (bytes < pipe->small || bytes == 0)
        return bytes ? cudaMemcpy(to, from, bytes, kind) : cudaSuccess;
    memset(&ring, 0, sizeof ring);
    error = open_ring(&ring, pipe);
    for (; at < bytes && error == cudaSuccess; at += pipe->chunk, i = (i + 1) % pipe->buffers) {
        const size_t rest = bytes - at;

        error = collect(&ring, i, pipe);
        if (error == cudaSuccess)
            error = chunk_through(&ring, i, (char *)to + at, (const char *)from + at,
                                  rest < pipe->chunk ? rest : pipe->chunk, kind, pipe);
    }
    for (int n = 0; n < pipe->buffers && error == cudaSuccess; n++) {
        error = collect(&ring, (i + n) % pipe->buffers, pipe);
    }
    close_ring(&ring, pipe);
    return error;
}
