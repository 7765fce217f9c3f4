/* hostile: always says that pinning pays, and waits by hand */
/* earns: 11 */
#include <string.h>

#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    /* Read off `make lab3`: microseconds, and microseconds a byte. */
    const double pin_us = 62 + 3.2e-5 * (double)bytes, saved_us = 7.5e-5 * (double)bytes - 5;

    (void)pin_us, (void)saved_us;
    return copies > 0;
}

#define SLOTS 2

/* One of two places that pieces pass through in turn, each with a stream: what is done there keeps its order.
 */
struct slot {
    cudaStream_t stream;
    float *h_x, *h_y, *d_x, *d_y;
    float *to;     /* where the piece that is on its way goes, or NULL */
    size_t length; /* elements of it */
};

static cudaError_t slot_make(struct slot *slot, size_t chunk)
{
    const size_t bytes = chunk * sizeof(float);
    cudaError_t error = cudaStreamCreateWithFlags(&slot->stream, cudaStreamNonBlocking);

    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&slot->h_x, bytes);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&slot->h_y, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&slot->d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&slot->d_y, bytes);
    return error;
}

static void slot_drop(struct slot *slot)
{
    cudaFree(slot->d_y);
    cudaFree(slot->d_x);
    cudaFreeHost(slot->h_y);
    cudaFreeHost(slot->h_x);
    if (slot->stream != NULL)
        cudaStreamDestroy(slot->stream);
}

/* Sends a piece through the slot, without waiting for it. */
static cudaError_t slot_issue(struct slot *slot, float *y, const float *x, size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(slot->h_x, x, bytes);
    memcpy(slot->h_y, y, bytes);
    slot->to = y;
    slot->length = length;
    error = cudaMemcpyAsync(slot->d_x, slot->h_x, bytes, cudaMemcpyHostToDevice, slot->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(slot->d_y, slot->h_y, bytes, cudaMemcpyHostToDevice, slot->stream);
    if (error == cudaSuccess)
        error = um_saxpy(slot->d_y, LAB3_FACTOR, slot->d_x, length, slot->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(slot->h_y, slot->d_y, bytes, cudaMemcpyDeviceToHost, slot->stream);
    return error;
}

/* Waits for the piece that is in the slot, if there is one, and takes it out. */
static cudaError_t slot_finish(struct slot *slot)
{
    cudaError_t error;

    if (slot->to == NULL)
        return cudaSuccess;
    error = cudaStreamSynchronize(slot->stream);
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

        error = slot_finish(mine); /* its buffers are free again only when its last piece has come back */
        if (error == cudaSuccess)
            error = slot_issue(mine, y + at, x + at, n - at < chunk ? n - at : chunk);
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
