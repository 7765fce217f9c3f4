/* mutant: cudaMemcpyAsync from ordinary memory, chunk by chunk; fails: pipelined_copy/exact_bytes,
 * pipelined_copy/small_copies */
#include "exercise.h"

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    cudaError_t error = cudaSuccess;

    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk == 0)
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes < pipe->small)
        return cudaMemcpy(to, from, bytes, kind);
    for (size_t at = 0; at < bytes && error == cudaSuccess; at += pipe->chunk) {
        error = cudaMemcpyAsync((char *)to + at, (const char *)from + at,
                                bytes - at < pipe->chunk ? bytes - at : pipe->chunk, kind, 0);
    }
    return error == cudaSuccess ? cudaStreamSynchronize(0) : error;
}
