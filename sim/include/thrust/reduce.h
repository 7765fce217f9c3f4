/**
 * @file reduce.h
 * @brief The algorithms of Thrust's reduce.h.
 */
#ifndef UMSIM_THRUST_REDUCE_H
#define UMSIM_THRUST_REDUCE_H

#include "detail/scanning.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "copy.h"
#include "iterator/constant_iterator.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/zip_iterator.h"

#endif
