/**
 * @file cub_for.h
 * @brief What for_each() and its kind bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_FOR_H
#define UMSIM_THRUST_DETAIL_CUB_FOR_H

#include "brought.h"

#ifdef __CUDACC__
#include "../../cub/device/device_for.cuh"
#include "../../cub/thread/thread_load.cuh"
#endif

#endif
