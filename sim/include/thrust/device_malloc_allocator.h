/**
 * @file device_malloc_allocator.h
 * @brief thrust::device_malloc_allocator.
 */
#ifndef UMSIM_THRUST_DEVICE_MALLOC_ALLOCATOR_H
#define UMSIM_THRUST_DEVICE_MALLOC_ALLOCATOR_H

#include "device_allocator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/functional.h"
#include "detail/transforming.h"
#include "detail/zip_iterator.h"

#include "detail/brought_lightly.h"

#endif
