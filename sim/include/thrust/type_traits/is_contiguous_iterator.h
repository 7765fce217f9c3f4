/**
 * @file is_contiguous_iterator.h
 * @brief thrust::is_contiguous_iterator.
 */
#ifndef UMSIM_THRUST_TYPE_TRAITS_IS_CONTIGUOUS_ITERATOR_H
#define UMSIM_THRUST_TYPE_TRAITS_IS_CONTIGUOUS_ITERATOR_H

#include "../detail/contiguous.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/brought_lightly.h"

#endif
