/* mutant: whatever the direction, it copies to the device; fails: pipelined_copy/right_data */
#include "exercise.h"

static cudaError_t mine_issue(struct slot *slot, char *to, const char *from, size_t length,
                              enum cudaMemcpyKind kind, const struct lab9_pipe *pipe)
{
    const bool up = true;

    (void)kind;
    slot->to = up ? NULL : to;
    slot->length = length;
    if (up)
        pipe->host_copy(slot->buffer, from, length);
    return cudaMemcpyAsync(up ? to : slot->buffer, up ? slot->buffer : from, length, cudaMemcpyHostToDevice,
                           slot->stream);
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    struct slot slot[LAB9_BUFFERS_MAX] = {{0}};
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
    for (int i = 0; i < pipe->buffers && error == cudaSuccess; i++) {
        error = slot_make(&slot[i], pipe->chunk);
    }
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += pipe->chunk) {
        const size_t length = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;

        error = slot_finish(&slot[next], pipe);
        if (error == cudaSuccess)
            error = mine_issue(&slot[next], (char *)to + at, (const char *)from + at, length, kind, pipe);
        next = (next + 1) % pipe->buffers;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        const cudaError_t last = slot_finish(&slot[(next + i) % pipe->buffers], pipe);

        if (error == cudaSuccess)
            error = last;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        slot_drop(&slot[i]);
    }
    return error;
}
