/**
 * @file device_reduce.cuh
 * @brief The algorithms of CUB's device_reduce.cuh.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_REDUCE_CUH
#define UMSIM_CUB_DEVICE_DEVICE_REDUCE_CUH

#include "device_algorithms.cuh"

#endif
