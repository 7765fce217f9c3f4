/**
 * @file thrust/device_ptr.h
 * @brief device_ptr: an address in device memory.
 */
#ifndef UMSIM_THRUST_DEVICE_PTR_H
#define UMSIM_THRUST_DEVICE_PTR_H

#include "detail/device_ptr.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "adjacent_difference.h"
#include "advance.h"
#include "functional.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/zip_iterator.h"

#endif
