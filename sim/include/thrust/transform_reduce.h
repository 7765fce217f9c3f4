/**
 * @file transform_reduce.h
 * @brief The algorithms of Thrust's transform_reduce.h.
 */
#ifndef UMSIM_THRUST_TRANSFORM_REDUCE_H
#define UMSIM_THRUST_TRANSFORM_REDUCE_H

#include "detail/reducing.h"

#endif
