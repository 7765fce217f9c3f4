/**
 * @file undefined.h
 * @brief What a GPU makes of operations that C++ leaves undefined: shifts by the width, divisions by zero,
 * conversions out of range. The rows are in undefined.def.
 */
#ifndef CONFORMANCE_UNDEFINED_H
#define CONFORMANCE_UNDEFINED_H

#include <cuda_runtime_api.h>

/** At most so many rows. */
#define UNDEFINED_MAX 512

#ifdef __cplusplus
extern "C" {
#endif

/** Computes each row once, by a kernel. @param from_memory results with operands that the compiler does not
 * know
 * @param constant with operands that it does; the result's bits, the upper ones 0 */
cudaError_t undefined_run(unsigned long long *from_memory, unsigned long long *constant);

/**
 * Reads or writes a value of `bytes` bytes (-8: an int2, -4: by atomicAdd) at an offset from 256 aligned
 * bytes.
 * @param where 0: global memory, 1: shared memory   @return cudaDeviceSynchronize()'s answer
 */
cudaError_t misaligned_run(int bytes, int offset, int writes, int where);

/** Calls a device function that ends without its `return`. @param ended 5 when the kernel went on behind it
 */
cudaError_t unfinished_run(int *ended);

#ifdef __cplusplus
}
#endif

#endif
