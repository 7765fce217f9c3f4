/**
 * @file iterator_categories.h
 * @brief thrust::iterator_traits.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_CATEGORIES_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_CATEGORIES_H

#include "../detail/distance.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/brought_lightly.h"

#endif
