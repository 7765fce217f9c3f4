/**
 * @file device_new_allocator.h
 * @brief thrust::device_new_allocator.
 */
#ifndef UMSIM_THRUST_DEVICE_NEW_ALLOCATOR_H
#define UMSIM_THRUST_DEVICE_NEW_ALLOCATOR_H

#include "device_allocator.h"

#include "detail/brought_lightly.h"

#endif
