/* hostile: one buffer, one stream; the host's part runs in the stream's host functions, so nothing overlaps
 */
/* earns: 10 */
#include "exercise.h"
#include <stdlib.h>

enum lab9_kind choose(const struct lab9_workload *workload, const struct lab9_machine *machine)
{
    (void)workload, (void)machine;
    return LAB9_MANAGED;
}

struct part {
    const struct lab9_pipe *pipe;
    void *to;
    const void *from;
    size_t bytes;
};

static void move(void *p)
{
    const struct part *part = p;
    part->pipe->host_copy(part->to, part->from, part->bytes);
}

static cudaError_t chunks(char *to, const char *from, size_t bytes, enum cudaMemcpyKind kind,
                          const struct lab9_pipe *pipe, char *buffer, cudaStream_t stream, struct part *part)
{
    const int up = kind == cudaMemcpyHostToDevice;
    cudaError_t error = cudaStreamSynchronize(0);
    for (size_t at = 0; at < bytes && !error; at += pipe->chunk, part++) {
        const size_t n = bytes - at < pipe->chunk ? bytes - at : pipe->chunk;
        *part = (struct part){pipe, up ? buffer : to + at, up ? from + at : buffer, n};
        if (up)
            error = cudaLaunchHostFunc(stream, move, part);
        if (!error)
            error = up ? cudaMemcpyAsync(to + at, buffer, n, kind, stream)
                       : cudaMemcpyAsync(buffer, from + at, n, kind, stream);
        if (!error && !up)
            error = cudaLaunchHostFunc(stream, move, part);
    }
    const cudaError_t last = cudaStreamSynchronize(stream);
    return error ? error : last;
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    char *buffer = NULL;
    cudaStream_t stream = NULL;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || pipe->chunk < 1)
        return cudaErrorInvalidValue;
    if (bytes < pipe->small || bytes == 0)
        return cudaMemcpy(to, from, bytes, kind);
    struct part *parts = calloc(bytes / pipe->chunk + 1, sizeof *parts);
    cudaError_t error = cudaMallocHost((void **)&buffer, pipe->chunk);
    if (!error)
        error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (!error)
        error = chunks(to, from, bytes, kind, pipe, buffer, stream, parts);
    if (stream)
        cudaStreamDestroy(stream);
    if (buffer)
        cudaFreeHost(buffer);
    free(parts);
    return error;
}
