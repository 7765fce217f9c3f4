/* mutant: both pieces in one stream; fails: stream_saxpy/overlap */
#include <string.h>

#include "exercise.h"

static cudaError_t issue(struct slot *slot, float *y, const float *x, size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(slot->h_x, x, bytes);
    memcpy(slot->h_y, y, bytes);
    slot->to = y;
    slot->length = length;
    error = cudaMemcpyAsync(slot->d_x, slot->h_x, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(slot->d_y, slot->h_y, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = um_saxpy(slot->d_y, LAB3_FACTOR, slot->d_x, length, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(slot->h_y, slot->d_y, bytes, cudaMemcpyDeviceToHost, 0);
    return error;
}

static cudaError_t finish(struct slot *slot)
{
    const cudaError_t error = cudaStreamSynchronize(0);
    const cudaError_t other = slot_finish(slot);

    return error != cudaSuccess ? error : other;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct slot slot[SLOTS] = {{0}};
    cudaError_t error = cudaSuccess;

    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    if (chunk > n)
        chunk = n;
    for (int s = 0; s < SLOTS && error == cudaSuccess; s++) {
        error = slot_make(&slot[s], chunk);
    }
    for (size_t at = 0, piece = 0; at < n && error == cudaSuccess; at += chunk, piece++) {
        struct slot *mine = &slot[piece % SLOTS];
        const size_t length = n - at < chunk ? n - at : chunk;

        error = finish(mine);
        if (error == cudaSuccess)
            error = issue(mine, y + at, x + at, length);
    }
    for (int s = 0; s < SLOTS; s++) {
        const cudaError_t last = finish(&slot[s]);

        if (error == cudaSuccess)
            error = last;
    }
    for (int s = 0; s < SLOTS; s++) {
        slot_drop(&slot[s]);
    }
    return error;
}
