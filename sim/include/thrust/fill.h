/**
 * @file fill.h
 * @brief fill() and related functions.
 */
#ifndef UMSIM_THRUST_FILL_H
#define UMSIM_THRUST_FILL_H

#include "detail/transforming.h"

#endif
