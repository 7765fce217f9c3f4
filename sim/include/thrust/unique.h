/**
 * @file unique.h
 * @brief The algorithms of Thrust's unique.h.
 */
#ifndef UMSIM_THRUST_UNIQUE_H
#define UMSIM_THRUST_UNIQUE_H

#include "detail/selecting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "iterator/constant_iterator.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/transform_iterator.h"

#endif
