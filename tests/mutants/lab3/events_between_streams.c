/* mutant: unusual but right: a stream for each engine, held together by events; fails: nothing */
#include <string.h>

#include "exercise.h"

struct lane {
    float *h_x, *h_y, *h_out, *d_x, *d_y;
    cudaEvent_t came, computed, back;
    float *to;
    size_t length;
};

static cudaError_t lane_make(struct lane *lane, size_t bytes)
{
    cudaError_t error = cudaMallocHost((void **)&lane->h_x, bytes);

    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&lane->h_y, bytes);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&lane->h_out, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&lane->d_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&lane->d_y, bytes);
    if (error == cudaSuccess)
        error = cudaEventCreate(&lane->came);
    if (error == cudaSuccess)
        error = cudaEventCreate(&lane->computed);
    if (error == cudaSuccess)
        error = cudaEventCreate(&lane->back);
    return error;
}

static void lane_drop(struct lane *lane)
{
    cudaFreeHost(lane->h_x);
    cudaFreeHost(lane->h_y);
    cudaFreeHost(lane->h_out);
    cudaFree(lane->d_x);
    cudaFree(lane->d_y);
    if (lane->came)
        cudaEventDestroy(lane->came);
    if (lane->computed)
        cudaEventDestroy(lane->computed);
    if (lane->back)
        cudaEventDestroy(lane->back);
}

static cudaError_t lane_finish(struct lane *lane)
{
    cudaError_t error;

    if (!lane->to)
        return cudaSuccess;
    error = cudaEventSynchronize(lane->back);
    if (error == cudaSuccess)
        memcpy(lane->to, lane->h_out, lane->length * sizeof(float));
    lane->to = NULL;
    return error;
}

static cudaError_t lane_issue(struct lane *lane, cudaStream_t *stream, float *y, const float *x,
                              size_t length)
{
    const size_t bytes = length * sizeof(float);
    cudaError_t error;

    memcpy(lane->h_x, x, bytes);
    memcpy(lane->h_y, y, bytes);
    error = cudaMemcpyAsync(lane->d_x, lane->h_x, bytes, cudaMemcpyHostToDevice, stream[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(lane->d_y, lane->h_y, bytes, cudaMemcpyHostToDevice, stream[0]);
    if (error == cudaSuccess)
        error = cudaEventRecord(lane->came, stream[0]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream[1], lane->came, 0);
    if (error == cudaSuccess)
        error = um_saxpy(lane->d_y, LAB3_FACTOR, lane->d_x, length, stream[1]);
    if (error == cudaSuccess)
        error = cudaEventRecord(lane->computed, stream[1]);
    if (error == cudaSuccess)
        error = cudaStreamWaitEvent(stream[2], lane->computed, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(lane->h_out, lane->d_y, bytes, cudaMemcpyDeviceToHost, stream[2]);
    if (error == cudaSuccess)
        error = cudaEventRecord(lane->back, stream[2]);
    lane->to = error == cudaSuccess ? y : NULL;
    lane->length = length;
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    struct lane lane[2] = {{0}};
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
        error = lane_make(&lane[l], chunk * sizeof *y);
    }
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk) {
        struct lane *mine = &lane[at / chunk % 2];

        error = lane_finish(mine);
        if (error == cudaSuccess)
            error = lane_issue(mine, stream, y + at, x + at, n - at < chunk ? n - at : chunk);
    }
    for (int s = 0; s < 3; s++) {
        const cudaError_t last = stream[s] ? cudaStreamSynchronize(stream[s]) : cudaSuccess;

        error = error == cudaSuccess ? last : error;
    }
    for (int l = 0; l < 2; l++) {
        const cudaError_t last = lane_finish(&lane[l]);

        error = error == cudaSuccess ? last : error;
        lane_drop(&lane[l]);
    }
    for (int s = 0; s < 3; s++) {
        if (stream[s])
            cudaStreamDestroy(stream[s]);
    }
    return error;
}
