/**
 * @file universal_ptr.h
 * @brief thrust::universal_ptr.
 */
#ifndef UMSIM_THRUST_UNIVERSAL_PTR_H
#define UMSIM_THRUST_UNIVERSAL_PTR_H

#include "detail/device_ptr.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/functional.h"
#include "detail/transforming.h"
#include "detail/zip_iterator.h"
#include "universal_allocator.h"

#endif
