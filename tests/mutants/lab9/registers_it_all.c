/* mutant: it registers the whole memory, and copies it at once; fails: pipelined_copy/exact_bytes,
 * pipelined_copy/budget */
#include "exercise.h"

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    void *host = kind == cudaMemcpyHostToDevice ? (void *)(uintptr_t)from : to;
    cudaError_t error;

    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk == 0)
        return cudaErrorInvalidValue;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes < pipe->small)
        return cudaMemcpy(to, from, bytes, kind);
    error = cudaHostRegister(host, bytes, cudaHostRegisterDefault);
    if (error != cudaSuccess)
        return error;
    error = cudaMemcpy(to, from, bytes, kind);
    cudaHostUnregister(host);
    return error;
}
