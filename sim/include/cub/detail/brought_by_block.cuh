/**
 * @file brought_by_block.cuh
 * @brief What CUB's algorithms for a block bring beside their own names: what a thread and a warp do, of
 * which NVIDIA's are made. tests/parity/brings.py compares.
 */
#ifndef UMSIM_CUB_DETAIL_BROUGHT_BY_BLOCK_CUH
#define UMSIM_CUB_DETAIL_BROUGHT_BY_BLOCK_CUH

#include "../thread/thread_load.cuh"
#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"
#include "../thread/thread_scan.cuh"
#include "../thread/thread_store.cuh"
#include "../util_debug.cuh"
#include "../warp/warp_exchange.cuh"
#include "../warp/warp_reduce.cuh"
#include "../warp/warp_scan.cuh"

#endif
