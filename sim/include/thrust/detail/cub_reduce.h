/**
 * @file cub_reduce.h
 * @brief What reducing algorithms, and vectors, bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_REDUCE_H
#define UMSIM_THRUST_DETAIL_CUB_REDUCE_H

#include "cub_select.h"

#ifdef __CUDACC__
#include "../../cub/block/block_reduce.cuh"
#include "../../cub/device/device_reduce.cuh"
#include "../../cub/grid/grid_even_share.cuh"
#include "../../cub/grid/grid_mapping.cuh"
#include "../../cub/iterator/arg_index_input_iterator.cuh"
#endif

#endif
