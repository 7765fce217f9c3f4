/**
 * @file set_operations.h
 * @brief The algorithms of Thrust's set_operations.h.
 */
#ifndef UMSIM_THRUST_SET_OPERATIONS_H
#define UMSIM_THRUST_SET_OPERATIONS_H

#include "detail/sorting.h"

#endif
