/**
 * @file reverse.h
 * @brief reverse() and related functions.
 */
#ifndef UMSIM_THRUST_REVERSE_H
#define UMSIM_THRUST_REVERSE_H

#include "detail/transforming.h"

#endif
