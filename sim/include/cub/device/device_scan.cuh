/**
 * @file device_scan.cuh
 * @brief The algorithms of CUB's device_scan.cuh.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SCAN_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SCAN_CUH

#include "device_algorithms.cuh"

#endif
