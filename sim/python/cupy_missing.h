/**
 * @file cupy_missing.h
 * @brief What CuPy's source wants of CUDA's headers and the simulator has not; each of its files includes
 * this one.
 *
 * Memory and events of other processes: each call answers cudaErrorNotSupported.
 */
#ifndef UMSIM_CUPY_MISSING_H
#define UMSIM_CUPY_MISSING_H

#include <cuda_runtime.h>

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

#endif
