/* fair: no stream but the legacy one, events tell when a buffer is free; all chunks are about as large; those
 * on their way to the device pass through write-combined memory */
#include "exercise.h"

struct stage {
    char *pinned;
    cudaEvent_t through;
    size_t at, bytes; /* 0 bytes: it is empty */
};

static cudaError_t open_stage(struct stage *stage, size_t chunk, int up)
{
    const cudaError_t error = cudaEventCreateWithFlags(&stage->through, cudaEventDisableTiming);

    return error == cudaSuccess ? cudaHostAlloc((void **)&stage->pinned, chunk,
                                                up ? cudaHostAllocWriteCombined : cudaHostAllocDefault)
                                : error;
}

static cudaError_t empty(struct stage *stage, char *to, int up, const struct lab9_pipe *pipe)
{
    const cudaError_t error = stage->bytes ? cudaEventSynchronize(stage->through) : cudaSuccess;

    if (error == cudaSuccess && stage->bytes && !up)
        pipe->host_copy(to + stage->at, stage->pinned, stage->bytes);
    stage->bytes = 0;
    return error;
}

static cudaError_t fill(struct stage *stage, char *to, const char *from, int up, const struct lab9_pipe *pipe)
{
    cudaError_t error;

    if (up)
        pipe->host_copy(stage->pinned, from + stage->at, stage->bytes);
    error = up ? cudaMemcpyAsync(to + stage->at, stage->pinned, stage->bytes, cudaMemcpyHostToDevice, 0)
               : cudaMemcpyAsync(stage->pinned, from + stage->at, stage->bytes, cudaMemcpyDeviceToHost, 0);
    return error == cudaSuccess ? cudaEventRecord(stage->through, 0) : error;
}

static cudaError_t run(struct stage *stages, char *to, const char *from, size_t bytes, int up,
                       const struct lab9_pipe *pipe)
{
    const size_t chunks = bytes / pipe->chunk + (bytes % pipe->chunk > 0), buffers = (size_t)pipe->buffers;
    const size_t each = bytes / chunks, larger = bytes % chunks; /* so many have a byte more */
    cudaError_t error = cudaSuccess;
    size_t at = 0;

    for (size_t k = 0; k < chunks + buffers && error == cudaSuccess; k++) {
        struct stage *stage = &stages[k % buffers];

        error = empty(stage, to, up, pipe);
        if (error != cudaSuccess || k >= chunks)
            continue;
        stage->at = at;
        stage->bytes = each + (k < larger);
        at += stage->bytes;
        error = fill(stage, to, from, up, pipe);
    }
    return error;
}

cudaError_t pipelined_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                           const struct lab9_pipe *pipe)
{
    struct stage stages[LAB9_BUFFERS_MAX] = {{NULL, NULL, 0, 0}};
    cudaError_t error = cudaSuccess;
    const int up = kind == cudaMemcpyHostToDevice;

    if (!up && kind != cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    if (pipe->buffers < 1 || pipe->buffers > LAB9_BUFFERS_MAX || !pipe->chunk)
        return cudaErrorInvalidValue;
    if (bytes == 0 || bytes < pipe->small)
        return bytes ? cudaMemcpy(to, from, bytes, kind) : cudaSuccess;
    for (int i = 0; i < pipe->buffers && error == cudaSuccess; i++) {
        error = open_stage(&stages[i], pipe->chunk, up);
    }
    if (error == cudaSuccess)
        error = run(stages, to, from, bytes, up, pipe);
    for (int i = 0; i < pipe->buffers; i++) { /* cudaFreeHost waits for what is under way after an error */
        cudaFreeHost(stages[i].pinned);
        if (stages[i].through)
            cudaEventDestroy(stages[i].through);
    }
    return error;
}
