/**
 * @file stack_kernels.h
 * @brief Kernels that use much stack. Each launches one block of 64 threads.
 */
#ifndef FAULTS_STACK_KERNELS_H
#define FAULTS_STACK_KERNELS_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Thread 5 calls itself `frames` times. `d_work`: 64 ints of device memory, all 0; d_work[32] becomes the
 * number of calls. */
cudaError_t recurse(int *d_work, int frames);
/** The same in a kernel whose threads wait for each other. */
cudaError_t recurse_with_barriers(int *d_work, int frames);
/** Frames of some 150 bytes. */
cudaError_t recurse_widely(int *d_work, int frames);
cudaError_t recurse_widely_with_barriers(int *d_work, int frames);
/** Thread 5 takes memory by alloca() and fills it; d_work[32] becomes their number. */
cudaError_t take(int *d_work, size_t bytes);
cudaError_t take_with_barriers(int *d_work, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
