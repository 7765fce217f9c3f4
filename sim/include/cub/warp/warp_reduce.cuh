/**
 * @file warp_reduce.cuh
 * @brief The algorithms of CUB's warp_reduce.cuh.
 */
#ifndef UMSIM_CUB_WARP_WARP_REDUCE_CUH
#define UMSIM_CUB_WARP_WARP_REDUCE_CUH

#include "../block/block_algorithms.cuh"

#endif
