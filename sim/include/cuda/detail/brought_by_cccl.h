/**
 * @file brought_by_cccl.h
 * @brief What Thrust and CUB bring of libcu++, as they are made of it at NVIDIA.
 */
#ifndef UMSIM_CUDA_BROUGHT_BY_CCCL_H
#define UMSIM_CUDA_BROUGHT_BY_CCCL_H

#include "../../device_types.h"
#include "../../vector_functions.h"

#include "../cmath"
#include "../functional"
#include "../std/mdspan"
#include "brought_waiting.h"

#include <memory>

#endif
