/**
 * @file reduce.h
 * @brief The algorithms of Thrust's reduce.h.
 */
#ifndef UMSIM_THRUST_REDUCE_H
#define UMSIM_THRUST_REDUCE_H

#include "detail/scanning.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/constant_iterator.h"
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"
#include "detail/selecting.h"
#include "detail/zip_iterator.h"

#endif
