/**
 * @file cupy_missing.h
 * @brief What CuPy's source wants of CUDA's headers and the simulator has not; each of its files includes
 * this one.
 *
 * Memory and events of other processes: each call answers cudaErrorNotSupported. The generator MRG32k3a: a
 * kernel that uses it stops with a line.
 */
#ifndef UMSIM_CUPY_MISSING_H
#define UMSIM_CUPY_MISSING_H

#include <cuda_runtime.h>
#include <curand_kernel.h>

/** What stands for a memory of another process. */
typedef struct {
    char reserved[64];
} cudaIpcMemHandle_t;
/** What stands for an event of another process. */
typedef struct {
    char reserved[64];
} cudaIpcEventHandle_t;

static inline cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *)
{
    return cudaErrorNotSupported;
}

static inline cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int)
{
    return cudaErrorNotSupported;
}

static inline cudaError_t cudaIpcCloseMemHandle(void *)
{
    return cudaErrorNotSupported;
}

static inline cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t)
{
    return cudaErrorNotSupported;
}

static inline cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t)
{
    return cudaErrorNotSupported;
}

/** Has the size of NVIDIA's, and nothing in it. */
struct curandStateMRG32k3a {
    unsigned int nothing[18];
};

#ifdef __CUDACC__
#include <stdio.h>

template <typename T> __device__ T umsim_no_mrg32k3a()
{
    printf("umlab: the generator MRG32k3a is not part of the simulator: use XORWOW or Philox4x3210\n");
    __trap();
    return T();
}

__device__ inline void curand_init(unsigned long long, unsigned long long, unsigned long long,
                                   curandStateMRG32k3a *)
{
    umsim_no_mrg32k3a<int>();
}

__device__ inline unsigned int curand(curandStateMRG32k3a *)
{
    return umsim_no_mrg32k3a<unsigned int>();
}

__device__ inline float curand_uniform(curandStateMRG32k3a *)
{
    return umsim_no_mrg32k3a<float>();
}

__device__ inline double curand_uniform_double(curandStateMRG32k3a *)
{
    return umsim_no_mrg32k3a<double>();
}

__device__ inline float curand_normal(curandStateMRG32k3a *)
{
    return umsim_no_mrg32k3a<float>();
}

__device__ inline double curand_normal_double(curandStateMRG32k3a *)
{
    return umsim_no_mrg32k3a<double>();
}
#endif

#endif
