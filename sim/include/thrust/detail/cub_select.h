/**
 * @file cub_select.h
 * @brief What selecting algorithms bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_SELECT_H
#define UMSIM_THRUST_DETAIL_CUB_SELECT_H

#include "cub_scan.h"

#ifdef __CUDACC__
#include "../../cub/device/device_select.cuh"
#endif

#endif
