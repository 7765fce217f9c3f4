/**
 * @file copy.h
 * @brief thrust::copy(), copy_n(), copy_if().
 */
#ifndef UMSIM_THRUST_COPY_H
#define UMSIM_THRUST_COPY_H

#include "detail/selecting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"

#endif
