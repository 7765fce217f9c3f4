/**
 * @file merge.h
 * @brief The algorithms of Thrust's merge.h.
 */
#ifndef UMSIM_THRUST_MERGE_H
#define UMSIM_THRUST_MERGE_H

#include "detail/sorting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"

#endif
