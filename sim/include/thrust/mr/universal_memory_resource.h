/**
 * @file universal_memory_resource.h
 * @brief thrust::universal_memory_resource.
 */
#ifndef UMSIM_THRUST_MR_UNIVERSAL_MEMORY_RESOURCE_H
#define UMSIM_THRUST_MR_UNIVERSAL_MEMORY_RESOURCE_H

#include "memory_resource.h"

#include "../../cub/util_device.cuh"
#include "../detail/brought.h"

#endif
