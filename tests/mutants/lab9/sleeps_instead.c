/* mutant: it sleeps where it should wait; fails: pipelined_copy/right_data */
#include <unistd.h>

#include "exercise.h"

static cudaError_t mine_finish(struct slot *slot, const struct lab9_pipe *pipe)
{
    const size_t length = slot->length;
    const cudaError_t error = length > 0 ? (usleep(2000), cudaSuccess) : cudaSuccess;

    slot->length = 0;
    if (error == cudaSuccess && length > 0 && slot->to != NULL)
        pipe->host_copy(slot->to, slot->buffer, length);
    return error;
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

        error = mine_finish(&slot[next], pipe);
        if (error == cudaSuccess)
            error = slot_issue(&slot[next], (char *)to + at, (const char *)from + at, length, kind, pipe);
        next = (next + 1) % pipe->buffers;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        const cudaError_t last = mine_finish(&slot[(next + i) % pipe->buffers], pipe);

        if (error == cudaSuccess)
            error = last;
    }
    for (int i = 0; i < pipe->buffers; i++) {
        slot_drop(&slot[i]);
    }
    return error;
}
