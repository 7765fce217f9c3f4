/**
 * @file need.h
 * @brief For test programs: what has to succeed, what has to hold. A failure says what and where, and exits
 * with 1.
 */
#ifndef PROGRAMS_NEED_H
#define PROGRAMS_NEED_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/** The CUDA call succeeds. */
#define NEED(call)                                                                                           \
    do {                                                                                                     \
        cudaError_t need_result = (call);                                                                    \
        if (need_result == cudaSuccess)                                                                      \
            break;                                                                                           \
        fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(need_result));        \
        exit(1);                                                                                             \
    } while (0)

/** The CUDA call returns `expected`, which the program asks for, so that nothing is said of it at the end. */
#define NEED_ERROR(call, expected)                                                                           \
    do {                                                                                                     \
        cudaError_t need_result = (call);                                                                    \
        if (need_result == (expected)) {                                                                     \
            cudaPeekAtLastError();                                                                           \
            break;                                                                                           \
        }                                                                                                    \
        fprintf(stderr, "%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(need_result), \
                cudaGetErrorName(expected));                                                                 \
        exit(1);                                                                                             \
    } while (0)

/** The condition holds; the rest is a printf format and its values. */
#define HOLDS(condition, ...)                                                                                \
    do {                                                                                                     \
        if (condition)                                                                                       \
            break;                                                                                           \
        fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);                        \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
        exit(1);                                                                                             \
    } while (0)

#endif
