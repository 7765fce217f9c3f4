/**
 * @file exercise.h
 * @brief Lab 10's exercises: work that two devices share, when each has a half.
 *
 * Devices are 0 and 1. Each has its half in its own memory. The current device may be either of them when a
 * function is called; when it returns, also with an error, it is the same one.
 */
#ifndef LAB10_EXERCISE_H
#define LAB10_EXERCISE_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One device's half of an array of rows, all of it in that device's memory. */
struct lab10_half {
    float *now;          /**< n floats: the array, before and after */
    float *next;         /**< n floats: room for a step's result */
    float *edge;         /**< a row: room for a copy of the other half's row at the seam */
    const float *border; /**< a row of 0: what lies beyond the array's end */
};

/**
 * `steps` times um_smooth() over an array whose upper half is on device 0 and whose lower half is on
 * device 1.
 *
 * A step needs, at the seam, the row of the other half as it was before the step. When the function returns,
 * half[d].now is the result: `now` and `next` may have changed places.
 *
 * What is counted:
 * - copies: in each step one row goes from device 0 to device 1 and one row back, and nothing else is copied,
 *   neither within a device nor with the host. They may be made with peer access or without.
 * - kernels work on memory of their own device: they get no pointer to the other one's. (Some calls are made
 *   on a machine whose devices cannot reach each other's memory. Copies work there, too.)
 * - both devices work at the same time.
 * - calls that wait (cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize): at most one for
 * each device, however many steps there are; no queries. The work is done when the function returns.
 * - no memory is allocated. Streams and events are as many for many steps as for few, and all are destroyed,
 *   after an error too.
 *
 * @param half device 0's, device 1's; with an error their contents are anything
 * @param n floats of a half: a multiple of row, at least 2 * row
 * @param row floats of a row
 * @param steps 0: nothing is asked of the devices
 * @return cudaSuccess, or the first error
 */
cudaError_t smooth_both(struct lab10_half half[2], size_t n, size_t row, int steps);

/**
 * *sum = the sum of n[0] floats on device 0 and n[1] floats on device 1: um_sum() of each, on the device that
 * has them, and the two results are added by the host.
 *
 * What is counted:
 * - copies: nothing but the two results, 16 bytes to the host; mapped memory does without. Nothing goes from
 *   one device to the other. (The devices cannot reach each other's memory.)
 * - both devices work at the same time.
 * - device memory: what um_sum() needs, on each device; pinned memory: a page. No managed, no registered
 * memory.
 * - calls that wait: at most one for each device; no queries.
 * - after an error too, everything that was made is given back.
 *
 * @param sum written when cudaSuccess is returned
 * @param x x[0] is in device 0's memory, x[1] in device 1's; only read
 * @param n n[d] may be 0: that half's sum is 0, and nothing is asked of its device
 * @return cudaSuccess, or the first error
 */
cudaError_t sum_both(double *sum, const float *const x[2], const size_t n[2]);

#ifdef __cplusplus
}
#endif
#endif
