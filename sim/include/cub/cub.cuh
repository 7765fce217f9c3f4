/**
 * @file cub.cuh
 * @brief A small CUB: some algorithms for the device, a block, a warp.
 */
#ifndef UMSIM_CUB_CUB_CUH
#define UMSIM_CUB_CUB_CUH

#include "block/block_algorithms.cuh"

#endif
