/**
 * @file um_time.h
 * @brief Two clocks under one name each: the host's, and the device's own (events).
 *
 * On cuda the host's clock is CLOCK_MONOTONIC. On sim it is the calling thread's virtual time, which only
 * CUDA calls, faults and umsim_host_work_ns() advance. The simulator never reports wall-clock time as GPU
 * time.
 */
#ifndef UM_TIME_H
#define UM_TIME_H

#include <cuda_runtime_api.h>

/** Host clock, microseconds since some fixed point. Only differences between two times mean anything. */
double um_now_us(void);

/** A part of one stream, timed by two events. */
struct um_gpu_timer {
    cudaEvent_t start, stop;
};

/** Creates both events. @return the first error. */
cudaError_t um_gpu_timer_create(struct um_gpu_timer *timer);

/** Records the start (the end) in `stream`. @{ */
cudaError_t um_gpu_timer_start(struct um_gpu_timer *timer, cudaStream_t stream);
cudaError_t um_gpu_timer_stop(struct um_gpu_timer *timer, cudaStream_t stream);
/** @} */

/** Waits for the stop event, then gives the time between the two, microseconds. */
cudaError_t um_gpu_timer_us(struct um_gpu_timer *timer, double *us);

/** Destroys what um_gpu_timer_create() created; harmless on a zeroed timer. */
void um_gpu_timer_destroy(struct um_gpu_timer *timer);

#endif
