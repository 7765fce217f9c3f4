/**
 * @file kernels_here.h
 * @brief What these tests need from CUDA C++, beside kernels/. C linkage.
 */
#ifndef MANAGED_KERNELS_HERE_H
#define MANAGED_KERNELS_HERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * x[at[i]] += value, for places that differ. `x` has `n` ints.
 * @param declared tell the simulator what the kernel moves: a kernel that says nothing has its pages opened
 * in other units
 */
cudaError_t here_add_at(int *x, size_t n, const uint32_t *at, size_t count, int value, bool declared,
                        cudaStream_t stream);

/** In each line of 16 words: word 0 is the kernel's own and grows by 1, word `shared` by 1 for all to see. */
cudaError_t here_hammer(unsigned *lines, size_t count, unsigned shared, cudaStream_t stream);

/** What a processor has one instruction for that reads memory and writes it. */
enum here_operation {
    HERE_INCREMENT,
    HERE_ADD,
    HERE_AND,
    HERE_SHIFT,
    HERE_NEGATE,
    HERE_INVERT,
    HERE_SET_BIT,
    HERE_OPERATIONS
};

/**
 * Changes each `stride`-th of `n` ints by one operation.
 * @param apart by a read and a write for certain; else as the compiler likes, which is one instruction
 */
cudaError_t here_update(int *x, size_t n, size_t stride, enum here_operation operation, bool apart);

#ifdef __cplusplus
}
#endif
#endif
