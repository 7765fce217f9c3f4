/**
 * @file thrust/system_error.h
 * @brief thrust::system_error, the exception that reports failed CUDA calls.
 */
#ifndef UMSIM_THRUST_SYSTEM_ERROR_H
#define UMSIM_THRUST_SYSTEM_ERROR_H

#include "detail/system_error.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/device_ptr.h"
#include "detail/functional.h"
#include "tuple.h"

#include "detail/brought_lightly.h"

#endif
