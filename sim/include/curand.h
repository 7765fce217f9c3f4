/**
 * @file curand.h
 * @brief The names of cuRAND's host library that programs use.
 *
 * The library draws no numbers on the host: kernels draw them with curand_kernel.h. What stands here is what
 * PyCUDA is built with; its tables of quasi-random numbers are not provided.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What cuRAND's host functions return. */
typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,         /**< done */
    CURAND_STATUS_TYPE_ERROR = 103,    /**< an argument is none of its kind */
    CURAND_STATUS_INTERNAL_ERROR = 999 /**< not provided */
} curandStatus_t;

/** Tables of direction vectors. */
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

/** The direction vectors of one dimension. */
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

/** 1000 times the major plus 100 times the minor version. */
curandStatus_t curandGetVersion(int *__version);
/** @name Not provided: CURAND_STATUS_INTERNAL_ERROR, and a line
 * @{ */
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *__vectors[],
                                           curandDirectionVectorSet_t __set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *__vectors[],
                                           curandDirectionVectorSet_t __set);
curandStatus_t curandGetScrambleConstants32(unsigned int **__constants);
curandStatus_t curandGetScrambleConstants64(unsigned long long **__constants);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
