/**
 * @file normal_distribution.h
 * @brief thrust::normal_distribution.
 */
#ifndef UMSIM_THRUST_RANDOM_NORMAL_DISTRIBUTION_H
#define UMSIM_THRUST_RANDOM_NORMAL_DISTRIBUTION_H

#include "../random.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/pair.h"
#include "../tuple.h"

#include "../detail/brought_lightly.h"

#endif
