/**
 * @file cub_adjacent.h
 * @brief What adjacent_difference() brings of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_ADJACENT_H
#define UMSIM_THRUST_DETAIL_CUB_ADJACENT_H

#include "cub_scan.h"

#ifdef __CUDACC__
#include "../../cub/block/block_adjacent_difference.cuh"
#include "../../cub/device/device_adjacent_difference.cuh"
#endif

#endif
