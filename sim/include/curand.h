/**
 * @file curand.h
 * @brief The names of cuRAND's host library that programs use.
 *
 * The library itself is not provided: kernels draw their numbers with curand_kernel.h.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime_api.h"

/** What cuRAND's host functions return. */
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0 /**< done */
} curandStatus_t;

#endif
