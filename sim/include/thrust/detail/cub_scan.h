/**
 * @file cub_scan.h
 * @brief What scanning algorithms bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_SCAN_H
#define UMSIM_THRUST_DETAIL_CUB_SCAN_H

#include "cub_transform.h"

#ifdef __CUDACC__
#include "../../cub/block/block_discontinuity.cuh"
#include "../../cub/block/block_exchange.cuh"
#include "../../cub/block/block_load.cuh"
#include "../../cub/block/block_scan.cuh"
#include "../../cub/block/block_store.cuh"
#include "../../cub/device/device_scan.cuh"
#include "../../cub/grid/grid_queue.cuh"
#include "../../cub/iterator/cache_modified_input_iterator.cuh"
#include "../../cub/thread/thread_operators.cuh"
#include "../../cub/thread/thread_reduce.cuh"
#include "../../cub/thread/thread_scan.cuh"
#include "../../cub/thread/thread_store.cuh"
#include "../../cub/warp/warp_exchange.cuh"
#include "../../cub/warp/warp_reduce.cuh"
#include "../../cub/warp/warp_scan.cuh"
#endif

#endif
