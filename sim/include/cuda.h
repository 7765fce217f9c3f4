/**
 * @file cuda.h
 * @brief For programs of the runtime API that include it, as many do. The driver API that this header is named for is
 * not provided: its functions are not declared, its types and version are.
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

#endif
