/**
 * @file um_time.c
 * @brief Implementation of um_time.h: the host's clock and event timers, for both backends.
 */
#include "um_time.h"

#include <math.h>
#include <stddef.h>
#include <time.h>

#ifdef UMLAB_SIM
#include "umsim.h"
#endif

double um_now_us(void)
{
#ifdef UMLAB_SIM
    return (double)umsim_time_ns() / 1e3;
#else
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
#endif
}

void um_host_moved(size_t bytes)
{
#ifdef UMLAB_SIM
    umsim_host_copied(bytes / 2);
#else
    (void)bytes;
#endif
}

cudaError_t um_gpu_timer_create(struct um_gpu_timer *timer)
{
    cudaError_t error;

    timer->start = timer->stop = NULL;
    error = cudaEventCreate(&timer->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&timer->stop);
    return error;
}

cudaError_t um_gpu_timer_start(struct um_gpu_timer *timer, cudaStream_t stream)
{
    return cudaEventRecord(timer->start, stream);
}

cudaError_t um_gpu_timer_stop(struct um_gpu_timer *timer, cudaStream_t stream)
{
    return cudaEventRecord(timer->stop, stream);
}

cudaError_t um_gpu_timer_us(struct um_gpu_timer *timer, double *us)
{
    float ms = 0;
    cudaError_t error = cudaEventSynchronize(timer->stop);

    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&ms, timer->start, timer->stop);
    *us = error == cudaSuccess ? (double)ms * 1e3 : NAN;
    return error;
}

void um_gpu_timer_destroy(struct um_gpu_timer *timer)
{
    if (timer->start)
        (void)cudaEventDestroy(timer->start);
    if (timer->stop)
        (void)cudaEventDestroy(timer->stop);
    timer->start = timer->stop = NULL;
}
