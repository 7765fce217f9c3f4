/**
 * @file advance.h
 * @brief thrust::advance().
 */
#ifndef UMSIM_THRUST_ADVANCE_H
#define UMSIM_THRUST_ADVANCE_H

#include "detail/distance.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/device_ptr.h"
#include "detail/system.h"
#include "detail/system_error.h"

#include "detail/brought_lightly.h"

#endif
