/**
 * @file brought.h
 * @brief What headers of algorithms and vectors bring beside their own names: tests/parity/brings.py
 * compares.
 *
 * Thrust is made of CUB at NVIDIA's, so programs use cub::BlockReduce and the like without including it.
 * Which header brings which part of CUB is nothing that one could go by: here each brings all of it, in host
 * code what is for hosts. CUB's own headers include none that brings this.
 */
#ifndef UMSIM_THRUST_DETAIL_BROUGHT_H
#define UMSIM_THRUST_DETAIL_BROUGHT_H

#include "../mr/memory_resource.h"
#include "brought_lightly.h"
#include "constructing.h"

#include "../../cub/util_debug.cuh"
#include "../../cub/util_device.cuh"
#include "../../cub/util_math.cuh"
#include "../../cub/util_type.cuh"
#ifdef __CUDACC__
#include "../../cub/cub.cuh"
#include "../iterator/tabulate_output_iterator.h"
#endif

#endif
