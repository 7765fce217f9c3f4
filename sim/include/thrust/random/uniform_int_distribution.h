/**
 * @file uniform_int_distribution.h
 * @brief thrust::uniform_int_distribution.
 */
#ifndef UMSIM_THRUST_RANDOM_UNIFORM_INT_DISTRIBUTION_H
#define UMSIM_THRUST_RANDOM_UNIFORM_INT_DISTRIBUTION_H

#include "../random.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/device_ptr.h"
#include "../detail/pair.h"
#include "../tuple.h"

#include "../detail/brought_lightly.h"

#endif
