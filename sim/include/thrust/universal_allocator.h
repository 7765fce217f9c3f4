/**
 * @file universal_allocator.h
 * @brief thrust::universal_allocator.
 */
#ifndef UMSIM_THRUST_UNIVERSAL_ALLOCATOR_H
#define UMSIM_THRUST_UNIVERSAL_ALLOCATOR_H

#include "device_allocator.h"

#include "detail/brought_lightly.h"

#endif
