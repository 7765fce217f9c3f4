/* fair: thread-local and aligned static memory, call_once, a mutex, the cleanup attribute, computed goto,
 * libm, a file that it may not write */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "exercise.h"

static _Thread_local cudaError_t first;
static once_flag once = ONCE_FLAG_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double roots[8];

static void prepare(void)
{
    FILE *log = fopen("log.txt", "w");

    for (int i = 0; i < 8; i++) {
        roots[i] = sqrt(i) + log2(i + 1.0);
    }
    if (log)
        fclose(log);
    else
        perror("log.txt");
}

static void drop(float **p)
{
    cudaFree(*p);
}

static bool done(cudaError_t error)
{
    if (first == cudaSuccess)
        first = error;
    return first == cudaSuccess;
}

static cudaError_t add(float *c, const float *a, const float *b, size_t n)
{
    static const void *const step[] = {&&get, &&send, &&compute, &&fetch, &&end};
    __attribute__((cleanup(drop))) float *d_a = NULL;
    __attribute__((cleanup(drop))) float *d_b = NULL;
    __attribute__((cleanup(drop))) float *d_c = NULL;
    const size_t bytes = n * sizeof *c;
    int now = 0;

    goto *step[n > 0 ? now : 4];
get:
    goto *step[done(cudaMalloc((void **)&d_a, bytes)) && done(cudaMalloc((void **)&d_b, bytes)) &&
                       done(cudaMalloc((void **)&d_c, bytes))
                   ? ++now
                   : 4];
send:
    goto *step[done(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)) &&
                       done(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice))
                   ? ++now
                   : 4];
compute:
    goto *step[done(um_vector_add(d_c, d_a, d_b, n, 0)) ? ++now : 4];
fetch:
    (void)done(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
end:
    return first;
}

cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    cudaError_t error;

    call_once(&once, prepare);
    pthread_mutex_lock(&lock);
    first = cudaSuccess;
    error = add(c, a, b, n);
    pthread_mutex_unlock(&lock);
    return error;
}

static _Alignas(4096) float large[16 << 20];

cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    struct cudaDeviceProp device;
    float *d = NULL;
    void *copy = NULL;
    cudaError_t error = cudaGetDeviceProperties(&device, 0);

    if (error != cudaSuccess)
        return error;
    printf("%s has %d multiprocessors\n", device.name, device.multiProcessorCount);
    if (n > sizeof large / sizeof *large || posix_memalign(&copy, 4096, n * sizeof *x) != 0)
        return cudaErrorMemoryAllocation;
    memcpy(large, y, n * sizeof *y);
    memcpy(copy, x, n * sizeof *x);
    error = cudaMalloc((void **)&d, 2 * n * sizeof *d);
    if (error == cudaSuccess)
        error = cudaMemcpy(d, large, n * sizeof *d, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(d + n, copy, n * sizeof *d, cudaMemcpyHostToDevice);
    for (; k > 0 && error == cudaSuccess; k--) {
        error = um_saxpy(d, factor, d + n, n, 0);
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(y, d, n * sizeof *d, cudaMemcpyDeviceToHost);
    cudaFree(d);
    free(copy);
    return error;
}
