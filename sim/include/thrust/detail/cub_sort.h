/**
 * @file cub_sort.h
 * @brief What sorting algorithms bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_SORT_H
#define UMSIM_THRUST_DETAIL_CUB_SORT_H

#include "cub_merge.h"
#include "cub_reduce.h"

#ifdef __CUDACC__
#include "../../cub/block/block_radix_sort.cuh"
#include "../../cub/device/device_merge_sort.cuh"
#include "../../cub/device/device_radix_sort.cuh"
#endif

#endif
