/**
 * @file uninitialized_copy.h
 * @brief thrust::uninitialized_copy().
 */
#ifndef UMSIM_THRUST_UNINITIALIZED_COPY_H
#define UMSIM_THRUST_UNINITIALIZED_COPY_H

#include "detail/constructing.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/brought.h"
#include "detail/permutation_iterator.h"
#include "detail/scanning.h"
#include "detail/selecting.h"

#endif
