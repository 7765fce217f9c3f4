/* mutant: unusual but right: a stream for each engine, held together by events; fails: nothing */
#include <string.h>

#include "exercise.h"

struct piece {
    float *h_x, *h_y, *h_out, *d_x, *d_y;
    cudaEvent_t came, computed, back;
    float *to;
    size_t length;
};

static cudaError_t piece_make(struct piece *piece, size_t bytes)
{
    cudaError_t error = cudaMallocHost((void **)&piece->h_x, bytes);

    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&piece->h_y, bytes);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&piece->h_out, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&piece->d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&piece->d_y, bytes);
    if (error == cudaSuccess)
        error = cudaEventCreate(&piece->came);
    if (error == cudaSuccess)
        error = cudaEventCreate(&piece->computed);
    if (error == cudaSuccess)
        error = cudaEventCreate(&piece->back);
    return error;
}

static void piece_drop(struct piece *piece)
{
    cudaFreeHost(piece->h_x);
    cudaFreeHost(piece->h_y);
    cudaFreeHost(piece->h_out);
    cudaFree(piece->d_x);
    cudaFree(piece->d_y);
    if (piece->came)
        cudaEventDestroy(piece->came);
    if (piece->computed)
        cudaEventDestroy(piece->computed);
    if (piece->back)
        cudaEventDestroy(piece->back);
}

static cudaError_t piece_finish(struct piece *piece)
{
    cudaError_t error;

    if (!piece->to)
        return cudaSuccess;
    error = cudaEventSynchronize(piece->back);
    if (error == cudaSuccess)
        memcpy(piece->to, piece->h_out, piece->length * sizeof(float));
    piece->to = NULL;
    return error;
}

static cudaError_t piece_issue(struct piece *piece, cudaStream_t *stream, float *y, const float *x,
                               size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(piece->h_x, x, bytes);
    memcpy(piece->h_y, y, bytes);
    error = cudaMemcpyAsync(piece->d_x, piece->h_x, bytes, cudaMemcpyHostToDevice, stream[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(piece->d_y, piece->h_y, bytes, cudaMemcpyHostToDevice, stream[0]);
    if (error == cudaSuccess)
        error = cudaEventRecord(piece->came, stream[0]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream[1], piece->came, 0);
    if (error == cudaSuccess)
        error = um_saxpy(piece->d_y, LAB3_FACTOR, piece->d_x, length, stream[1]);
    if (error == cudaSuccess)
        error = cudaEventRecord(piece->computed, stream[1]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream[2], piece->computed, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(piece->h_out, piece->d_y, bytes, cudaMemcpyDeviceToHost, stream[2]);
    if (error == cudaSuccess)
        error = cudaEventRecord(piece->back, stream[2]);
    piece->to = error == cudaSuccess ? y : NULL;
    piece->length = length;
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct piece piece[2] = {{0}};
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
        error = piece_make(&piece[l], chunk * sizeof *y);
    }
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk) {
        struct piece *mine = &piece[at / chunk % 2];

        error = piece_finish(mine);
        if (error == cudaSuccess)
            error = piece_issue(mine, stream, y + at, x + at, n - at < chunk ? n - at : chunk);
    }
    for (int s = 0; s < 3; s++) {
        const cudaError_t last = stream[s] ? cudaStreamSynchronize(stream[s]) : cudaSuccess;

        error = error == cudaSuccess ? last : error;
    }
    for (int l = 0; l < 2; l++) {
        const cudaError_t last = piece_finish(&piece[l]);

        error = error == cudaSuccess ? last : error;
        piece_drop(&piece[l]);
    }
    for (int s = 0; s < 3; s++) {
        if (stream[s])
            cudaStreamDestroy(stream[s]);
    }
    return error;
}
