/* fair: arrays of megabytes on the stack, a signal handler for its own signal, and atexit()'s list grows */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"

static volatile sig_atomic_t signals;

static void count(int number)
{
    (void)number;
    signals++;
}

static void at_the_end(void)
{
    signals = 0;
}

/* The inputs side by side on the stack, if there is room, so that one copy carries both. */
static cudaError_t send_both(float *d, const float *a, const float *b, size_t n)
{
    if (n <= 1 << 18) {
        float both[2 * n];

        memcpy(both, a, n * sizeof *a);
        memcpy(both + n, b, n * sizeof *b);
        return cudaMemcpy(d, both, sizeof both, cudaMemcpyHostToDevice);
    }
    cudaError_t error = cudaMemcpy(d, a, n * sizeof *a, cudaMemcpyHostToDevice);

    return error == cudaSuccess ? cudaMemcpy(d + n, b, n * sizeof *b, cudaMemcpyHostToDevice) : error;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    struct sigaction action = {.sa_handler = count}, before;
    float *d = NULL;
    cudaError_t error;

    if (n == 0)
        return cudaSuccess;
    atexit(at_the_end);
    sigaction(SIGUSR1, &action, &before);
    error = cudaMalloc((void **)&d, 3 * n * sizeof *c);
    if (error == cudaSuccess)
        error = send_both(d, a, b, n);
    raise(SIGUSR1);
    if (error == cudaSuccess)
        error = um_vector_add(d + 2 * n, d, d + n, n, 0);
    if (error == cudaSuccess)
        error = cudaMemcpy(c, d + 2 * n, n * sizeof *c, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess && signals != 1)
        error = cudaErrorUnknown;
    signals = 0;
    cudaFree(d);
    sigaction(SIGUSR1, &before, NULL);
    return error;
}
