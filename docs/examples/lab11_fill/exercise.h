/**
 * @file exercise.h
 * @brief Lab 11's exercise: an array of the host's, set on the device.
 */
#ifndef LAB11_EXERCISE_H
#define LAB11_EXERCISE_H

#include "kernels.h"

/**
 * x[i] = value for a host array of `n` floats (n is 1 or more), set on the device by um_fill().
 *
 * - Nothing is copied to the device, 4n bytes are copied back.
 * - Whatever happens, no device memory is left allocated.
 *
 * @return cudaSuccess, or the error of the first call that failed
 */
cudaError_t filled(float *x, float value, size_t n);

#endif
