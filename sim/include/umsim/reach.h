/**
 * @file umsim/reach.h
 * @brief For libraries of kernels (sim/cublas and its kind): whether a kernel can access all of an array,
 * asked before it starts, and for which work of a GPU's library it stands.
 */
#ifndef UMSIM_REACH_H
#define UMSIM_REACH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether kernels can access an array. */
enum umsim_reach_answer {
    UMSIM_REACHED,     /**< all of it is in one allocation, or in the kernels' heap */
    UMSIM_OF_THE_HOST, /**< it is the host's own memory */
    UMSIM_ENDS_EARLY   /**< its allocation is smaller, or was freed */
};

/** Checks [p, p + bytes). */
enum umsim_reach_answer umsim_reach(const void *__p, size_t __bytes);

/** Which units of a multiprocessor do a kernel's arithmetic. */
enum umsim_unit {
    UMSIM_UNIT_SINGLE, /**< float, outside of tensor cores */
    UMSIM_UNIT_DOUBLE, /**< double, outside of tensor cores */
    UMSIM_UNIT_TENSOR_DOUBLE,
    UMSIM_UNIT_TENSOR_TF32,
    UMSIM_UNIT_TENSOR_HALF, /**< half and bfloat16 */
    UMSIM_UNIT_TENSOR_INT8,
    UMSIM_UNITS
};

/** The grid that a GPU's library would start, and what it computes. */
struct umsim_stands_for {
    uint64_t blocks; /**< at least 1; 0: a launch stands for itself */
    uint64_t threads_a_block;
    uint64_t operations; /**< sums and products together */
    enum umsim_unit unit;
    uint64_t steps; /**< of a block's sums, one after another; 0 where that takes no time of its own */
};

/**
 * The next kernel that this thread launches is priced as that grid, with the bytes that it declares
 * (umsim_kernel_reads(), umsim_kernel_writes()), whatever its own threads do. The launch clears it.
 */
void umsim_kernel_stands_for(const struct umsim_stands_for *__what);

#ifdef __cplusplus
}
#endif
#endif
