/* mutant: cudaMemcpyAsync of memory that is not pinned; fails: stream_saxpy/overlap */
#include "exercise.h"

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    cudaStream_t stream[2] = {NULL};
    float *d_x[2] = {NULL}, *d_y[2] = {NULL};
    cudaError_t error = cudaSuccess;

    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    for (int s = 0; s < 2 && error == cudaSuccess; s++) {
        if ((error = cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking)) == cudaSuccess &&
            (error = cudaMalloc((void **)&d_x[s], chunk * sizeof *x)) == cudaSuccess)
            error = cudaMalloc((void **)&d_y[s], chunk * sizeof *y);
    }
    for (size_t at = 0; at < n && error == cudaSuccess; at += chunk) {
        const size_t length = n - at < chunk ? n - at : chunk, bytes = length * sizeof *y;
        const int s = at / chunk % 2;

        if ((error = cudaMemcpyAsync(d_x[s], x + at, bytes, cudaMemcpyHostToDevice, stream[s])) ==
                cudaSuccess &&
            (error = cudaMemcpyAsync(d_y[s], y + at, bytes, cudaMemcpyHostToDevice, stream[s])) ==
                cudaSuccess &&
            (error = um_saxpy(d_y[s], LAB3_FACTOR, d_x[s], length, stream[s])) == cudaSuccess)
            error = cudaMemcpyAsync(y + at, d_y[s], bytes, cudaMemcpyDeviceToHost, stream[s]);
    }
    for (int s = 0; s < 2; s++) {
        const cudaError_t last = stream[s] ? cudaStreamSynchronize(stream[s]) : cudaSuccess;

        if (error == cudaSuccess)
            error = last;
    }
    for (int s = 0; s < 2; s++) {
        cudaFree(d_x[s]);
        cudaFree(d_y[s]);
        if (stream[s])
            cudaStreamDestroy(stream[s]);
    }
    return error;
}
