/**
 * @file transform.h
 * @brief transform() and related functions.
 */
#ifndef UMSIM_THRUST_TRANSFORM_H
#define UMSIM_THRUST_TRANSFORM_H

#include "detail/transforming.h"

#endif
