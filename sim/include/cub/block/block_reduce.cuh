/**
 * @file block_reduce.cuh
 * @brief The algorithms of CUB's block_reduce.cuh.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_REDUCE_CUH
#define UMSIM_CUB_BLOCK_BLOCK_REDUCE_CUH

#include "block_algorithms.cuh"

#endif
