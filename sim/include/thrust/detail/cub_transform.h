/**
 * @file cub_transform.h
 * @brief What transforming algorithms, and memory of a device, bring of CUB.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 */
#ifndef UMSIM_THRUST_DETAIL_CUB_TRANSFORM_H
#define UMSIM_THRUST_DETAIL_CUB_TRANSFORM_H

#include "cub_for.h"

#ifdef __CUDACC__
#include "../../cub/device/device_transform.cuh"
#endif

#endif
