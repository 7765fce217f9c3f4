/**
 * @file warp_scan.cuh
 * @brief The algorithms of CUB's warp_scan.cuh.
 */
#ifndef UMSIM_CUB_WARP_WARP_SCAN_CUH
#define UMSIM_CUB_WARP_WARP_SCAN_CUH

#include "../block/block_algorithms.cuh"

#endif
