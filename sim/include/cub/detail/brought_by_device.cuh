/**
 * @file brought_by_device.cuh
 * @brief What CUB's algorithms for the device bring beside their own names: what NVIDIA's are made of.
 *
 * Which of them brings which part is nothing that one could go by: here each brings all.
 * tests/parity/brings.py compares.
 */
#ifndef UMSIM_CUB_DETAIL_BROUGHT_BY_DEVICE_CUH
#define UMSIM_CUB_DETAIL_BROUGHT_BY_DEVICE_CUH

#ifdef __CUDACC__
#include "../block/block_adjacent_difference.cuh"
#include "../block/block_discontinuity.cuh"
#include "../block/block_exchange.cuh"
#include "../block/block_histogram.cuh"
#include "../block/block_load.cuh"
#include "../block/block_merge_sort.cuh"
#include "../block/block_radix_sort.cuh"
#include "../block/block_reduce.cuh"
#include "../block/block_scan.cuh"
#include "../block/block_shuffle.cuh"
#include "../block/block_store.cuh"
#include "../grid/grid_even_share.cuh"
#include "../grid/grid_mapping.cuh"
#include "../grid/grid_queue.cuh"
#include "../iterator/arg_index_input_iterator.cuh"
#include "../iterator/cache_modified_input_iterator.cuh"
#include "../iterator/cache_modified_output_iterator.cuh"
#include "../iterator/constant_input_iterator.cuh"
#include "../iterator/counting_input_iterator.cuh"
#include "../iterator/discard_output_iterator.cuh"
#include "../iterator/tex_obj_input_iterator.cuh"
#include "../iterator/transform_input_iterator.cuh"
#include "../thread/thread_load.cuh"
#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"
#include "../thread/thread_scan.cuh"
#include "../thread/thread_search.cuh"
#include "../thread/thread_sort.cuh"
#include "../thread/thread_store.cuh"
#include "../warp/warp_exchange.cuh"
#include "../warp/warp_load.cuh"
#include "../warp/warp_merge_sort.cuh"
#include "../warp/warp_reduce.cuh"
#include "../warp/warp_scan.cuh"
#include "../warp/warp_store.cuh"
#include "../util_allocator.cuh"
#include "../util_device.cuh"
#include "../util_macro.cuh"
#include "../util_math.cuh"
#include "../util_ptx.cuh"
#endif

#endif
