/**
 * @file launchers.h
 * @brief What the conformance tests need from CUDA C++: device variables, and launches by <<<>>>. C linkage.
 */
#ifndef CONFORMANCE_LAUNCHERS_H
#define CONFORMANCE_LAUNCHERS_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Elements of each variable. */
#define CONF_COUNT 16

/** The addresses that cudaMemcpyToSymbol() and related functions take in C. */
const void *conf_device_symbol(void);
const void *conf_constant_symbol(void);
/** The __managed__ variable itself: the host may use it through this pointer. */
int *conf_managed_variable(void);

/** Each launcher forgets the error of an earlier call first, and returns what cudaGetLastError() says after
 * the launch. */
/** An empty kernel by <<<>>>. */
cudaError_t conf_launch(dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream);
/** The address of that kernel, for cudaLaunchKernel(). */
const void *conf_empty_kernel(void);

/** out[i] = device variable[i] + constant variable[i] + managed variable[i] */
cudaError_t conf_sum_variables(int *out, cudaStream_t stream);
/** device variable[i] += value, managed variable[i] += value */
cudaError_t conf_add_to_variables(int value, cudaStream_t stream);

/** *p = value, by one thread. */
cudaError_t conf_write(int *p, int value, cudaStream_t stream);
/** *out = *p, by one thread. */
cudaError_t conf_read(int *out, const int *p, cudaStream_t stream);
/** Waits until *flag is not 0, then *out = value. `flag` is mapped pinned memory. */
cudaError_t conf_wait_for_flag(const volatile int *flag, int *out, int value, cudaStream_t stream);

#ifndef __cplusplus
/** x[i] += 1: the kernel itself, whose address C takes. Not called. */
void conf_add_one(int *x, size_t n);
#endif

#ifdef __cplusplus
}
#endif
#endif
