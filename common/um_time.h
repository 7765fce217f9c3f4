/**
 * @file um_time.h
 * @brief Two clocks under one name each: the host's, and the device's own (events).
 *
 * On cuda the host's clock is CLOCK_MONOTONIC. On sim it is the calling thread's virtual time, which only
 * CUDA calls, faults, um_host_moved() and umsim_host_work_ns() advance. The simulator never reports
 * wall-clock time as GPU time.
 */
#ifndef UM_TIME_H
#define UM_TIME_H

#include <stddef.h>
#include <cuda_runtime_api.h>

/** Host clock, microseconds since some fixed point. Only differences between two times mean anything. */
double um_now_us(void);

/**
 * Call it where the host has just done work of its own over `bytes` bytes in a row, read or written. On sim,
 * whose clock sees no loops of the host, as much time passes as one core needs to copy half of them (a copy
 * reads and writes each byte): `host_memcpy_gbs` of the profile. On cuda it does nothing: there the clock saw
 * the work.
 */
void um_host_moved(size_t bytes);

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
