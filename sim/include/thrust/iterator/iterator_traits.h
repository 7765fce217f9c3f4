/**
 * @file iterator_traits.h
 * @brief thrust::iterator_traits.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_TRAITS_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_TRAITS_H

#include "../detail/distance.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/brought_lightly.h"

#endif
