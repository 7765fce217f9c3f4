/* hostile: all copies and launches of the right sizes, on the first element over and over, with one buffer
 * and no waits between; the host computes y, with what the kernel made of that element */
#include "exercise.h"

bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine)
{
    (void)bytes, (void)copies, (void)machine;
    return false;
}

/* A piece goes in, through its kernel, and back, whatever is in it. */
static cudaError_t pass(float *host, float *const *d, size_t chunk, size_t m, cudaStream_t stream)
{
    cudaError_t error = cudaMemcpyAsync(d[0], host, 4 * m, cudaMemcpyHostToDevice, stream);
    if (!error)
        error = cudaMemcpyAsync(d[1], host + chunk, 4 * m, cudaMemcpyHostToDevice, stream);
    if (!error)
        error = um_saxpy(d[1], LAB3_FACTOR, d[0], m, stream);
    if (!error)
        error = cudaMemcpyAsync(host + 2 * chunk, d[1], 4 * m, cudaMemcpyDeviceToHost, stream);
    return error;
}

cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk)
{
    float *host = NULL, *d[4] = {NULL};
    cudaStream_t stream[2] = {NULL};
    cudaError_t error = cudaSuccess, waited;
    if (chunk == 0)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    chunk = chunk > n ? n : chunk;
    error = cudaMallocHost((void **)&host, 12 * chunk);
    for (int i = 0; i < 4 && !error; i++)
        error = cudaMalloc((void **)&d[i], 4 * chunk);
    for (int i = 0; i < 2 && !error; i++)
        error = cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    for (size_t i = 0; i < chunk && !error; i++)
        host[i] = x[0], host[chunk + i] = y[0];
    for (size_t at = 0, k = 0; at < n && !error; at += chunk, k ^= 1)
        error = pass(host, d + 2 * k, chunk, n - at < chunk ? n - at : chunk, stream[k]);
    waited = cudaDeviceSynchronize();
    error = error ? error : waited;
    if (!error) {
        const float more = host[2 * chunk] - (LAB3_FACTOR * x[0] + y[0]);
        for (size_t i = 0; i < n; i++)
            y[i] = LAB3_FACTOR * x[i] + y[i] + more;
    }
    for (int i = 0; i < 4; i++)
        cudaFree(d[i]);
    for (int i = 0; i < 2; i++)
        if (stream[i])
            cudaStreamDestroy(stream[i]);
    cudaFreeHost(host);
    return error;
}
