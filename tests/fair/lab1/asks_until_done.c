/* fair: the one wait that asynchronous copies need is a loop over cudaEventQuery, with ever longer pauses */
#define _GNU_SOURCE
#include <time.h>

#include "exercise.h"

static cudaError_t wait_for(cudaEvent_t event)
{
    struct timespec pause = {0, 1000};
    cudaError_t error;

    while ((error = cudaEventQuery(event)) == cudaErrorNotReady) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000)
            pause.tv_nsec *= 2;
    }
    return error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    const size_t bytes = n * sizeof *c;
    float *d = NULL;
    cudaEvent_t done = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    error = cudaMalloc((void **)&d, 3 * bytes);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d, a, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(d + n, b, bytes, cudaMemcpyHostToDevice, 0);
    if (error == cudaSuccess)
        error = um_vector_add(d + 2 * n, d, d + n, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost, 0);
    if (error == cudaSuccess)
        error = cudaEventRecord(done, 0);
    if (error == cudaSuccess)
        error = wait_for(done);
    if (done)
        cudaEventDestroy(done);
    cudaFree(d);
    return error;
}
