/**
 * @file unwrap_contiguous_iterator.h
 * @brief thrust::unwrap_contiguous_iterator().
 */
#ifndef UMSIM_THRUST_TYPE_TRAITS_UNWRAP_CONTIGUOUS_ITERATOR_H
#define UMSIM_THRUST_TYPE_TRAITS_UNWRAP_CONTIGUOUS_ITERATOR_H

#include "is_contiguous_iterator.h"

#endif
