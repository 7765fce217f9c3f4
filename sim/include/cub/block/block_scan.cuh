/**
 * @file block_scan.cuh
 * @brief The algorithms of CUB's block_scan.cuh.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_SCAN_CUH
#define UMSIM_CUB_BLOCK_BLOCK_SCAN_CUH

#include "block_algorithms.cuh"

#endif
