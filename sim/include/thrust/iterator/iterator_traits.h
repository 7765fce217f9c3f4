/**
 * @file iterator_traits.h
 * @brief thrust::iterator_traits.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_TRAITS_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_TRAITS_H

#include "../distance.h"

#endif
