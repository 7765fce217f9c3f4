/**
 * @file calls.h
 * @brief Lab 6: how a pattern is played, as calls.c and checks.c both need to know it.
 */
#ifndef LAB6_CALLS_H
#define LAB6_CALLS_H

#include <stdint.h>

enum {
    LAB6_ROUNDS = 3,
    LAB6_LOOK_STRIDE = 40 << 10, /**< LAB6_GPU_LOOKS reads one byte in this many */
    LAB6_LOOK_AT = 2,            /**< the first one is this byte */
    LAB6_PIECE = 8 << 20,        /**< bytes that a kernel of LAB6_GPU_WORKS goes through */
    LAB6_VALUES = 1000,          /**< float i begins as seed + i % LAB6_VALUES */
};

/** The result of the pattern, as the caller of prepare() sees it. */
struct lab6_result {
    int64_t prepared; /**< what prepare() returned, and in the upper bits the error that it left */
    double host_sum;  /**< of all that the host read, in all rounds */
    double gpu_sum;   /**< of all that the GPU read and did not write, in all rounds */
};

/** Returned where the caller's own calls of CUDA fail. */
enum { LAB6_NOT_SET_UP = -1 };

#endif
