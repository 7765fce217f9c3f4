/**
 * @file check.h
 * @brief For the programs that the documentation quotes: a CUDA call that failed ends main(), with a line
 * that says which.
 */
#ifndef DOCS_CHECK_H
#define DOCS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/** Leaves main(): with 2 where there is no device, with 1 after any other error. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t error_ = (call);                                                                         \
        if (error_ != cudaSuccess) {                                                                         \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                                  \
            return error_ == cudaErrorNoDevice || error_ == cudaErrorInsufficientDriver ? 2 : 1;             \
        }                                                                                                    \
    } while (0)

#endif
