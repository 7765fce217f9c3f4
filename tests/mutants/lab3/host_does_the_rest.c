/* mutant: the last, shorter piece is worked out by the host; fails: stream_saxpy/right_data */
#include "exercise.h"

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

        if (length < chunk) {
            for (size_t i = at; i < n; i++) {
                y[i] += LAB3_FACTOR * x[i];
            }
            break;
        }
        error = slot_finish(mine);
        if (error == cudaSuccess)
            error = slot_issue(mine, y + at, x + at, length);
    }
    for (int s = 0; s < SLOTS; s++) {
        const cudaError_t last = slot_finish(&slot[s]);

        if (error == cudaSuccess)
            error = last;
    }
    for (int s = 0; s < SLOTS; s++) {
        slot_drop(&slot[s]);
    }
    return error;
}
