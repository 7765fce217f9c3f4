/* fair: where registering fails, it takes pinned memory instead, and succeeds: y is right then */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

struct buffer {
    float *p;
    void *heap; /* NULL: it is CUDA's */
};

static cudaError_t get(struct buffer *buffer, size_t bytes)
{
    buffer->heap = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (buffer->heap && cudaHostRegister(buffer->heap, bytes, 0) == cudaSuccess) {
        buffer->p = buffer->heap;
        return cudaSuccess;
    }
    free(buffer->heap);
    buffer->heap = NULL;
    (void)cudaGetLastError();
    return cudaMallocHost((void **)&buffer->p, bytes);
}

static void drop(struct buffer *buffer)
{
    if (buffer->heap)
        cudaHostUnregister(buffer->p);
    else
        cudaFreeHost(buffer->p);
    free(buffer->heap);
}

struct side {
    cudaStream_t stream;
    struct buffer x, y;
    float *d, *to;
    size_t bytes;
};

static cudaError_t finish(struct side *side)
{
    const cudaError_t error = side->to ? cudaStreamSynchronize(side->stream) : cudaSuccess;

    if (side->to && error == cudaSuccess)
        memcpy(side->to, side->y.p, side->bytes);
    side->to = NULL;
    return error;
}

static cudaError_t start(struct side *side, float *y, const float *x, size_t length, size_t chunk)
{
    cudaError_t error = finish(side);

    if (error != cudaSuccess)
        return error;
    side->bytes = length * sizeof *y;
    side->to = y;
    memcpy(side->x.p, x, side->bytes);
    memcpy(side->y.p, y, side->bytes);
    if ((error = cudaMemcpyAsync(side->d, side->x.p, side->bytes, cudaMemcpyHostToDevice, side->stream)) ||
        (error = cudaMemcpyAsync(side->d + chunk, side->y.p, side->bytes, cudaMemcpyHostToDevice,
                                 side->stream)) ||
        (error = um_saxpy(side->d + chunk, LAB3_FACTOR, side->d, length, side->stream)) ||
        (error =
             cudaMemcpyAsync(side->y.p, side->d + chunk, side->bytes, cudaMemcpyDeviceToHost, side->stream)))
        (void)cudaStreamSynchronize(side->stream), side->to = NULL;
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct side side[2] = {{0}, {0}};
    cudaError_t error = cudaSuccess, last;

    if (n == 0 || chunk == 0)
        return chunk == 0 ? cudaErrorInvalidValue : cudaSuccess;
    chunk = chunk < n ? chunk : n;
    for (int i = 0; i < 2 && error == cudaSuccess; i++) {
        if ((error = get(&side[i].x, chunk * sizeof *x)) == cudaSuccess &&
            (error = get(&side[i].y, chunk * sizeof *y)) == cudaSuccess &&
            (error = cudaMalloc((void **)&side[i].d, 2 * chunk * sizeof *y)) == cudaSuccess)
            error = cudaStreamCreateWithFlags(&side[i].stream, cudaStreamNonBlocking);
    }
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk) {
        error = start(&side[at / chunk % 2], y + at, x + at, n - at < chunk ? n - at : chunk, chunk);
    }
    for (int i = 0; i < 2; i++) {
        last = finish(&side[i]);
        error = error == cudaSuccess ? last : error;
    }
    for (int i = 0; i < 2; i++) {
        if (side[i].stream)
            cudaStreamDestroy(side[i].stream);
        cudaFree(side[i].d);
        drop(&side[i].y);
        drop(&side[i].x);
    }
    return error;
}
