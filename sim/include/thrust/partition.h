/**
 * @file partition.h
 * @brief The algorithms of Thrust's partition.h.
 */
#ifndef UMSIM_THRUST_PARTITION_H
#define UMSIM_THRUST_PARTITION_H

#include "detail/selecting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/constant_iterator.h"
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"
#include "detail/reverse_iterator.h"
#include "detail/sorting.h"
#include "detail/transform_iterator.h"

#endif
