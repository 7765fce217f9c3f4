/**
 * @file thrust/distance.h
 * @brief thrust::distance(), thrust::advance().
 */
#ifndef UMSIM_THRUST_DISTANCE_H
#define UMSIM_THRUST_DISTANCE_H

#include "detail/distance.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/device_ptr.h"
#include "detail/system.h"
#include "detail/system_error.h"

#include "detail/brought_lightly.h"

#endif
