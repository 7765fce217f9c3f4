/**
 * @file cub_merge.h
 * @brief What merging algorithms bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_MERGE_H
#define UMSIM_THRUST_DETAIL_CUB_MERGE_H

#include "cub_scan.h"

#ifdef __CUDACC__
#include "../../cub/block/block_merge_sort.cuh"
#include "../../cub/device/device_merge.cuh"
#include "../../cub/thread/thread_sort.cuh"
#endif

#endif
