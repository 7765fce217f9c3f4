/**
 * @file adjacent_difference.h
 * @brief adjacent_difference() and related functions.
 */
#ifndef UMSIM_THRUST_ADJACENT_DIFFERENCE_H
#define UMSIM_THRUST_ADJACENT_DIFFERENCE_H

#include "detail/transforming.h"

#endif
