/**
 * @file exercise.h
 * @brief Lab 4's exercises: the same host memory, used in place where little of it is needed, and by a copy
 * where much is.
 */
#ifndef LAB4_EXERCISE_H
#define LAB4_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "kernels.h"

/**
 * *sum = the sum of host[index[i]] for i below m, on the GPU: um_gather(), then um_sum() of what it found.
 *
 * `host` and `index` are in memory of cudaHostAlloc with cudaHostAllocMapped. The array is large, m is small
 * against it, and the places lie far apart. So nothing is copied: the kernel follows the host's addresses.
 *
 * What is counted:
 * - copies, by whatever engine: none. The sum, too, comes back through mapped memory.
 * - device memory: what was found, m floats, and what um_sum() needs; pinned memory: a page for the sum. No
 *   managed and no registered memory.
 * - calls that wait (cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize): one; no queries.
 * - launches: one gather, one sum (um_sum() is two kernels).
 * - after an error too, everything that was made is given back.
 *
 * @param sum written when cudaSuccess is returned
 * @param host,index only read; the host's address is the device's
 * @param m 0: the sum is 0, and nothing is asked of the device
 * @return cudaSuccess, or the first error
 */
cudaError_t gather_sum(double *sum, const float *host, const uint32_t *index, size_t m);

/**
 * sums[j] = host[0] + ... + host[ends[j] - 1] for j below k, on the GPU: k times um_sum().
 *
 * The counterpart of gather_sum(), with memory of the same kind. Each sum reads all the elements that it adds
 * up, one after another, and most elements are needed k times. In place, they would cross the bus k times.
 *
 * What is counted:
 * - copies to the device: one, of exactly as many floats as the largest of `ends` says. Copies back: at most
 *   one, of k doubles; mapped memory does without. None within the device.
 * - the kernels' time: they read device memory.
 * - device memory: the floats that were copied, k doubles, and what um_sum() needs; pinned memory: a page for
 *   each 512 sums, at most. No managed and no registered memory.
 * - calls that wait: at most one; no queries.
 * - after an error too, everything that was made is given back.
 *
 * @param sums k doubles in memory from malloc; unchanged, or with any contents, when an error is returned
 * @param host only read
 * @param ends k numbers, in any order; an empty sum is 0. When all are 0, nothing is asked of the device
 * @param k may be 0
 * @return cudaSuccess, or the first error
 */
cudaError_t dense_sums(double *sums, const float *host, const size_t *ends, size_t k);

#endif
