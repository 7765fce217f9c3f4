/**
 * @file scatter.h
 * @brief scatter() and related functions.
 */
#ifndef UMSIM_THRUST_SCATTER_H
#define UMSIM_THRUST_SCATTER_H

#include "detail/transforming.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "copy.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/zip_iterator.h"
#include "reduce.h"

#endif
