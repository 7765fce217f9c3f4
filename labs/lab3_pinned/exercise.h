/**
 * @file exercise.h
 * @brief Lab 3's exercises: decide what to pin, and keep both copy engines busy with two small pinned
 * buffers.
 */
#ifndef LAB3_EXERCISE_H
#define LAB3_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <cuda_runtime_api.h>

#include "kernels.h"

/** stream_saxpy() multiplies by this. */
#define LAB3_FACTOR 2.0f

/**
 * A machine, by what was measured on it. Each time has a fixed part, microseconds, and a part that grows with
 * the bytes, microseconds for each MiB (1,048,576 bytes). `make lab3` shows the same of your machine: `one
 * H2D` of the rows `pageable` and `pinned`, and `alloc` of `registered`. Two sizes make a straight line.
 */
struct lab3_machine {
    /** one cudaMemcpy to the device, from malloc's memory as it is */
    double pageable_copy_us, pageable_copy_us_per_mib;
    /** the same, from memory that is pinned */
    double pinned_copy_us, pinned_copy_us_per_mib;
    /** cudaHostRegister and cudaHostUnregister, both together */
    double register_us, register_us_per_mib;
};

/**
 * Decides whether to pin memory before it is copied.
 *
 * `bytes` bytes are in memory from malloc. cudaMemcpy will copy them to the device `copies` times, one call
 * after another. There are two ways: copy them as they are, or call cudaHostRegister first, then make the
 * copies, then call cudaHostUnregister. Which takes less time in all, on that machine?
 *
 * What is counted: the time that your choices take against that of the best choices, for bytes, copies and
 * machines that you do not know. Each question is about another machine: a figure may be four times that of
 * the course's machine, or a quarter. No copies, or no bytes, are no reason to pin.
 *
 * Forbidden: calls of CUDA. It is a decision, made before any time is spent.
 *
 * @return true to pin
 */
bool should_pin(size_t bytes, unsigned copies, const struct lab3_machine *machine);

/**
 * y[i] = LAB3_FACTOR * x[i] + y[i] for i below n, on the GPU, in pieces of `chunk` elements (the last has
 * what is left).
 *
 * x and y are in memory from malloc: a copy engine cannot read it while the program goes on. Copy each piece
 * to a pinned buffer, and from there to the device. Use a few buffers over and over. Make sure that one piece
 * is on its way to the device while another one is on its way back. um_saxpy() of kernels.h is the kernel.
 *
 * What is counted, for n elements in c = ceil(n / chunk) pieces:
 * - bytes copied: 8n to the device, 4n back, none within it. Launches: c.
 * - pinned memory, registered memory included: never more than two pieces each way of each array, that is 6 *
 *   chunk floats in all; as much of device memory; and no managed memory. So it works on data larger than the
 *   device's memory.
 * - waits for the whole device (cudaDeviceSynchronize, and calls that imply it, such as cudaMalloc's
 *   counterpart cudaFree): not in the loop; their number must not grow with c. The number of allocations,
 *   streams and events must not grow with c either.
 * - overlap: from the times of copies and kernels. While pieces come back, others go in, most of the time.
 * - after an error too, everything that was made is given back.
 *
 * Forbidden: kernels that work on host memory in place (that is lab 4), and assuming after a pause (usleep)
 * that work is done: only a wait or a query can tell.
 *
 * @param y,x n floats each; they do not overlap; only y[0] to y[n-1] change
 * @param n 0 succeeds, and asks nothing of the device
 * @param chunk 0 is cudaErrorInvalidValue; may be larger than n
 * @return cudaSuccess when all of y is right; else the first error, and y may hold anything
 */
cudaError_t stream_saxpy(float *y, const float *x, size_t n, size_t chunk);

#endif
