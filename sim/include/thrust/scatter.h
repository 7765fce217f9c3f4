/**
 * @file scatter.h
 * @brief scatter() and related functions.
 */
#ifndef UMSIM_THRUST_SCATTER_H
#define UMSIM_THRUST_SCATTER_H

#include "detail/transforming.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"
#include "detail/scanning.h"
#include "detail/selecting.h"
#include "detail/zip_iterator.h"

#endif
