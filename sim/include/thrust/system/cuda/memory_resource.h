/**
 * @file memory_resource.h
 * @brief thrust::cuda::memory_resource.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_MEMORY_RESOURCE_H
#define UMSIM_THRUST_SYSTEM_CUDA_MEMORY_RESOURCE_H

#include "../../mr/memory_resource.h"

#include "../../detail/brought.h"

#endif
