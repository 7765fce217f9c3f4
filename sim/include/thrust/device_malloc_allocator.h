/**
 * @file device_malloc_allocator.h
 * @brief thrust::device_malloc_allocator.
 */
#ifndef UMSIM_THRUST_DEVICE_MALLOC_ALLOCATOR_H
#define UMSIM_THRUST_DEVICE_MALLOC_ALLOCATOR_H

#include "device_allocator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "adjacent_difference.h"
#include "advance.h"
#include "functional.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/zip_iterator.h"

#endif
