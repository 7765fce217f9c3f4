/* mutant: unusual but right: a stream for each engine, held together by events; fails: nothing */
#include <string.h>

#include "exercise.h"

struct slot {
    float *h_x, *h_y, *h_out, *d_x, *d_y;
    cudaEvent_t came, computed, back;
    float *to;
    size_t length;
};

static cudaError_t slot_make(struct slot *slot, size_t bytes)
{
    cudaError_t error = cudaMallocHost((void **)&slot->h_x, bytes);

    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&slot->h_y, bytes);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&slot->h_out, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&slot->d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&slot->d_y, bytes);
    if (error == cudaSuccess)
        error = cudaEventCreate(&slot->came);
    if (error == cudaSuccess)
        error = cudaEventCreate(&slot->computed);
    if (error == cudaSuccess)
        error = cudaEventCreate(&slot->back);
    return error;
}

static void slot_drop(struct slot *slot)
{
    cudaFreeHost(slot->h_x);
    cudaFreeHost(slot->h_y);
    cudaFreeHost(slot->h_out);
    cudaFree(slot->d_x);
    cudaFree(slot->d_y);
    if (slot->came)
        cudaEventDestroy(slot->came);
    if (slot->computed)
        cudaEventDestroy(slot->computed);
    if (slot->back)
        cudaEventDestroy(slot->back);
}

static cudaError_t slot_finish(struct slot *slot)
{
    cudaError_t error;

    if (!slot->to)
        return cudaSuccess;
    error = cudaEventSynchronize(slot->back);
    if (error == cudaSuccess)
        memcpy(slot->to, slot->h_out, slot->length * sizeof(float));
    slot->to = NULL;
    return error;
}

static cudaError_t slot_issue(struct slot *slot, cudaStream_t *stream, float *y, const float *x,
                              size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(slot->h_x, x, bytes);
    memcpy(slot->h_y, y, bytes);
    error = cudaMemcpyAsync(slot->d_x, slot->h_x, bytes, cudaMemcpyHostToDevice, stream[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(slot->d_y, slot->h_y, bytes, cudaMemcpyHostToDevice, stream[0]);
    if (error == cudaSuccess)
        error = cudaEventRecord(slot->came, stream[0]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream[1], slot->came, 0);
    if (error == cudaSuccess)
        error = um_saxpy(slot->d_y, LAB3_FACTOR, slot->d_x, length, stream[1]);
    if (error == cudaSuccess)
        error = cudaEventRecord(slot->computed, stream[1]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream[2], slot->computed, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(slot->h_out, slot->d_y, bytes, cudaMemcpyDeviceToHost, stream[2]);
    if (error == cudaSuccess)
        error = cudaEventRecord(slot->back, stream[2]);
    slot->to = error == cudaSuccess ? y : NULL;
    slot->length = length;
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct slot slot[2] = {{0}};
    cudaStream_t stream[3] = {NULL};
    cudaError_t error = cudaSuccess;

    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    for (int s = 0; s < 3 && error == cudaSuccess; s++) {
        error = cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
    }
    for (int l = 0; l < 2 && error == cudaSuccess; l++) {
        error = slot_make(&slot[l], chunk * sizeof *y);
    }
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk) {
        struct slot *mine = &slot[at / chunk % 2];

        error = slot_finish(mine);
        if (error == cudaSuccess)
            error = slot_issue(mine, stream, y + at, x + at, n - at < chunk ? n - at : chunk);
    }
    for (int s = 0; s < 3; s++) {
        const cudaError_t last = stream[s] ? cudaStreamSynchronize(stream[s]) : cudaSuccess;

        error = error == cudaSuccess ? last : error;
    }
    for (int l = 0; l < 2; l++) {
        const cudaError_t last = slot_finish(&slot[l]);

        error = error == cudaSuccess ? last : error;
        slot_drop(&slot[l]);
    }
    for (int s = 0; s < 3; s++) {
        if (stream[s])
            cudaStreamDestroy(stream[s]);
    }
    return error;
}
