/**
 * @file uninitialized_fill.h
 * @brief thrust::uninitialized_fill().
 */
#ifndef UMSIM_THRUST_UNINITIALIZED_FILL_H
#define UMSIM_THRUST_UNINITIALIZED_FILL_H

#include "detail/constructing.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/brought.h"

#endif
