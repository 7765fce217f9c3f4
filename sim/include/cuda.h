/**
 * @file cuda.h
 * @brief For programs of the runtime API that include it, as many do.
 *
 * The driver API that this header is named for is not provided. Its types and version are here, and of its
 * functions only cuInit() is declared, because programs call it first.
 */
#ifndef UMSIM_CUDA_H
#define UMSIM_CUDA_H

#include "cuda_runtime_api.h"

/** The driver API's version: the runtime's. */
#define CUDA_VERSION CUDART_VERSION

/** A device's number. */
typedef int CUdevice;
/** A device address. */
typedef unsigned long long CUdeviceptr;
/** The runtime's stream and event, by the driver API's names. */
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

/** What the driver API's functions return. */
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,            /**< done */
    CUDA_ERROR_INVALID_VALUE = 1 /**< flags other than 0 */
} CUresult;
/** Nothing is left to do: the runtime's first call starts the device. */
static inline CUresult cuInit(unsigned int __flags)
{
    return __flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#endif
