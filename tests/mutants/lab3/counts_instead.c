/* mutant: counts to some number instead of waiting; fails: stream_saxpy/right_data */
#include <string.h>

#include "exercise.h"

/* On some machine, some day, long enough. */
static void count(void)
{
    for (volatile unsigned long i = 0; i < 1000000; i++)
        ;
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

        count();
        if (mine->to != NULL)
            memcpy(mine->to, mine->h_y, mine->length * sizeof(float));
        error = slot_issue(mine, y + at, x + at, length);
    }
    count();
    for (int s = 0; s < SLOTS; s++) {
        if (slot[s].to != NULL)
            memcpy(slot[s].to, slot[s].h_y, slot[s].length * sizeof(float));
    }
    for (int s = 0; s < SLOTS; s++) {
        slot_drop(&slot[s]);
    }
    return error;
}
