/**
 * @file set_operations.h
 * @brief The algorithms of Thrust's set_operations.h.
 */
#ifndef UMSIM_THRUST_SET_OPERATIONS_H
#define UMSIM_THRUST_SET_OPERATIONS_H

#include "detail/sorting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/constant_iterator.h"
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"
#include "detail/reverse_iterator.h"
#include "detail/transform_iterator.h"

#endif
