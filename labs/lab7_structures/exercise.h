/**
 * @file exercise.h
 * @brief Lab 7's exercises: send a list and an array of records across in one piece each, and make a list for
 * both sides.
 */
#ifndef LAB7_EXERCISE_H
#define LAB7_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#include "kernels.h"

/** Each field of aos_to_soa() begins at a multiple of this many bytes, as memory from cudaMalloc does. */
#define LAB7_ALIGNMENT 256

/**
 * Makes a copy of a list for the device: as many nodes, the same values in the same order, and links that
 * lead from node to node there. The last link is NULL.
 *
 * The list is the host's: its nodes are from malloc, anywhere. Follow it to see how long it is.
 *
 * What is counted, for n nodes:
 * - allocations of device memory: one, of n nodes. *d_head is its beginning, so that the caller's
 *   cudaFree(*d_head) frees all of it. No other memory of CUDA's.
 * - copies: one to the device, of n nodes; none back, none within. No kernels.
 * - calls that wait: none beside the copy.
 * - after an error nothing is left, and *d_head is NULL.
 *
 * @param d_head,head for an empty list (head NULL), *d_head is NULL, and nothing is asked of CUDA
 * @return cudaSuccess; cudaErrorMemoryAllocation when malloc has no memory; else the first error of CUDA
 */
cudaError_t list_to_device(struct um_node **d_head, const struct um_node *head);

/**
 * Makes a list of n values that host and device both follow, by the same links: values[0] first, the last
 * link NULL.
 *
 * What is counted, from here to the end of the caller's use (a kernel follows the list once, then the host
 * does):
 * - allocations: one, managed, of n nodes. *head is its beginning, so that the caller's cudaFree(*head) frees
 *   all of it.
 * - copies: none.
 * - pages: at most what the nodes need, each once to the GPU and once back. The host takes at most the faults
 *   of one walk through them to write, and of one to read.
 * - calls that wait: none.
 * - after an error nothing is left, and *head is NULL.
 *
 * @param n 0: *head is NULL, nothing is asked of CUDA
 * @return cudaSuccess, or the first error
 */
cudaError_t list_managed(struct um_node **head, const int64_t *values, size_t n);

/** Six fields of particles, each as a separate array in device memory. */
struct lab7_arrays {
    float *position[3], *velocity[3];
};

/**
 * Splits n records of the host into arrays for the device: position and velocity, six floats of each record.
 * Mass and id stay on the host. The caller then runs kernels over each array.
 *
 * What is counted:
 * - allocations of device memory: one. It begins with position[0]; position[1], position[2], velocity[0],
 *   velocity[1], velocity[2] follow in this order, each at the next multiple of LAB7_ALIGNMENT bytes behind
 *   the field before. The caller's cudaFree(arrays->position[0]) frees all of it. No other memory of CUDA's.
 * - copies: one to the device, of all six fields with the gaps between them; none back, none within. No
 *   kernels.
 * - bytes: 24 of each record's 32, and at most LAB7_ALIGNMENT - 4 more for each gap.
 * - calls that wait: none beside the copy.
 * - after an error nothing is left, and all six pointers are NULL.
 *
 * @param n 0: all six pointers are NULL, nothing is asked of CUDA
 * @return cudaSuccess; cudaErrorMemoryAllocation when malloc has no memory; else the first error of CUDA
 */
cudaError_t aos_to_soa(struct lab7_arrays *arrays, const struct um_record *records, size_t n);

#endif
