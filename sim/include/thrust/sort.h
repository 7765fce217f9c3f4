/**
 * @file sort.h
 * @brief The algorithms of Thrust's sort.h.
 */
#ifndef UMSIM_THRUST_SORT_H
#define UMSIM_THRUST_SORT_H

#include "detail/sorting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "iterator/constant_iterator.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/reverse_iterator.h"
#include "iterator/transform_iterator.h"

#endif
