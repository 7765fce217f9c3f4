/**
 * @file curand.h
 * @brief What programs name of cuRAND's host library. The library itself is not there: kernels draw their
 * numbers with curand_kernel.h.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime_api.h"

/** What cuRAND's host functions return. */
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0 /**< done */
} curandStatus_t;

#endif
