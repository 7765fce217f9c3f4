/* mutant: it uses one buffer, however many it may have; fails: pipelined_copy/overlap */
#include "exercise.h"

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
    for (int i = 0; i < 1 && error == cudaSuccess; i++) {
        error = slot_make(&slot[i], pipe->chunk);
    }
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += pipe->chunk) {
        const size_t length = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;

        error = slot_finish(&slot[next], pipe);
        if (error == cudaSuccess)
            error = slot_issue(&slot[next], (char *)to + at, (const char *)from + at, length, kind, pipe);
        next = 0;
    }
    for (int i = 0; i < 1; i++) {
        const cudaError_t last = slot_finish(&slot[next + i], pipe);

        if (error == cudaSuccess)
            error = last;
    }
    for (int i = 0; i < 1; i++) {
        slot_drop(&slot[i]);
    }
    return error;
}
