/**
 * @file exercise.h
 * @brief Lab 1's exercises, explicit memory: what each function gets, what it has to do, and what is
 * counted.
 *
 * You write exercise.c. Kernels are in kernels.h: each launcher queues its kernel and returns what the
 * launch returned.
 */
#ifndef UM_LAB1_EXERCISE_H
#define UM_LAB1_EXERCISE_H

#include "kernels.h"

/**
 * c[i] = a[i] + b[i] for host arrays of `n` floats, computed on the device by um_vector_add().
 *
 * - Exactly what is needed crosses the bus: 8n bytes to the device, 4n back. One kernel.
 * - No needless wait (cudaDeviceSynchronize and related calls): cudaMemcpy waits for what came before it.
 *   cudaFree and cudaFreeHost wait for the GPU, too: they come behind the last copy.
 *   Where the last copy is asynchronous (cudaMemcpyAsync, a graph), one wait is needed.
 * - n = 0 succeeds, without a launch.
 * - When a call of CUDA fails, its error is returned: the first one, if there are several.
 * - Whatever happens, no device memory is left allocated, and none is freed twice.
 *
 * @return cudaSuccess when c is complete; else what failed first, and c may hold anything
 */
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n);

/**
 * y[i] = factor * x[i] + y[i], `k` times in a row, for host arrays of `n` floats (n is 1 or more): k kernels,
 * um_saxpy() each.
 *
 * - The bytes that cross the bus do not depend on k: at most 8n to the device, 4n back.
 * - Waits, errors and memory as above. With k = 0, y stays as it is.
 */
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k);

#endif
