/* mutant: unusual but right: asks a stream again and again until it says that all is done; fails: nothing */
#include <string.h>

#include "exercise.h"

static cudaError_t finish(struct slot *slot)
{
    cudaError_t error = cudaSuccess;

    if (slot->to == NULL)
        return cudaSuccess;
    while ((error = cudaStreamQuery(slot->stream)) == cudaErrorNotReady) {
    }
    if (error == cudaSuccess)
        memcpy(slot->to, slot->h_y, slot->length * sizeof(float));
    slot->to = NULL;
    return error;
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
            error = slot_issue(mine, y + at, x + at, length);
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
