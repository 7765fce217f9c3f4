/**
 * @file binary_search.h
 * @brief The algorithms of Thrust's binary_search.h.
 */
#ifndef UMSIM_THRUST_BINARY_SEARCH_H
#define UMSIM_THRUST_BINARY_SEARCH_H

#include "detail/sorting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"

#endif
