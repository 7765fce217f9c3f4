/**
 * @file iterator_categories.h
 * @brief thrust::iterator_traits.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_CATEGORIES_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_CATEGORIES_H

#include "../distance.h"

#endif
