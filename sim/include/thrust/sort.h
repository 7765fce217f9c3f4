/**
 * @file sort.h
 * @brief The algorithms of Thrust's sort.h.
 */
#ifndef UMSIM_THRUST_SORT_H
#define UMSIM_THRUST_SORT_H

#include "detail/sorting.h"

#endif
