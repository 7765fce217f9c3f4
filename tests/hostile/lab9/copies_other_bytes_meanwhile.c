/* hostile: copies by memcpy(), which takes no virtual time; while the engine works host_copy() copies bytes
 * that nobody needs, so that its time hides the engine's; one buffer, one wait after each chunk */
/* earns: 9 */
#include "exercise.h"
#include <string.h>

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    (void)workload, (void)machine;
    return LAB9_MANAGED;
}

static cudaError_t chunks(char *to, const char *from, size_t bytes, enum cudaMemcpyKind kind,
                          const struct lab9_pipe *pipe, char *buffer, char *other, cudaStream_t stream)
{
    const int up = kind == cudaMemcpyHostToDevice;
    cudaError_t error = cudaStreamSynchronize(0);
    for (size_t at = 0; at < bytes && !error; at += pipe->chunk) {
        const size_t n = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;
        if (up)
            memcpy(buffer, from + at, n);
        error = up ? cudaMemcpyAsync(to + at, buffer, n, kind, stream)
                   : cudaMemcpyAsync(buffer, from + at, n, kind, stream);
        pipe->host_copy(other, up ? from + at : to + at, n);
        if (!error)
            error = cudaStreamSynchronize(stream);
        if (!up)
            memcpy(to + at, buffer, n);
    }
    return error;
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    static char other[1 << 19];
    char *buffer = NULL;
    cudaStream_t stream = NULL;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk < 1)
        return cudaErrorInvalidValue;
    if (bytes < pipe->small || bytes == 0)
        return cudaMemcpy(to, from, bytes, kind);
    cudaError_t error = cudaMallocHost((void **)&buffer, pipe->chunk);
    if (!error)
        error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (!error)
        error = chunks(to, from, bytes, kind, pipe, buffer, other, stream);
    if (stream)
        cudaStreamDestroy(stream);
    if (buffer)
        cudaFreeHost(buffer);
    return error;
}
