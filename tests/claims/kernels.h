/**
 * @file kernels.h
 * @brief Kernels that the articles' listings need, with their own launch shapes. C linkage; each launcher
 * forgets the error of an earlier call, and returns what the launch returned.
 */
#ifndef CLAIMS_KERNELS_H
#define CLAIMS_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** x, y and z, as a numpy record of three float32 has them: 12 bytes, no padding. */
struct claims_xyz {
    float x, y, z;
};

/** *seen = the address that the kernel was given, as a number. */
cudaError_t claims_tell_address(uintptr_t *seen, const void *p, cudaStream_t stream);
/** x[i] += 1 in every thread of the grid, without a check of the end: grid and block decide how many. */
cudaError_t claims_add_one(float *x, unsigned blocks, unsigned threads);
/** z[i] = x[i] + y[i] where i < n, with as many threads as blocks and threads say. */
cudaError_t claims_add(float *z, const float *x, const float *y, int n, unsigned blocks, unsigned threads);
/** out[i] = in[i] where i < n, `threads` a block. */
cudaError_t claims_copy(float *out, const float *in, size_t n, unsigned threads);
/** out[i] = r[i].x + r[i].y + r[i].z, with the records as packed floats of three. */
cudaError_t claims_sum_records(float *out, const struct claims_xyz *records, int n);
/** *out = *p, by one thread; p may be misaligned, or no address of the device's. */
cudaError_t claims_read(float *out, const float *p);
/** *p += 1, by one thread: host and device may use the same p. */
cudaError_t claims_increment(int *p);

#ifdef __cplusplus
}
#endif
#endif
