/**
 * @file device_malloc_allocator.h
 * @brief thrust::device_malloc_allocator.
 */
#ifndef UMSIM_THRUST_DEVICE_MALLOC_ALLOCATOR_H
#define UMSIM_THRUST_DEVICE_MALLOC_ALLOCATOR_H

#include "device_allocator.h"

#endif
