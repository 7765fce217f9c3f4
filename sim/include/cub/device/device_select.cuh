/**
 * @file device_select.cuh
 * @brief The algorithms of CUB's device_select.cuh.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SELECT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SELECT_CUH

#include "device_algorithms.cuh"

#endif
