/**
 * @file device_radix_sort.cuh
 * @brief The algorithms of CUB's device_radix_sort.cuh.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_RADIX_SORT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_RADIX_SORT_CUH

#include "device_algorithms.cuh"

#endif
