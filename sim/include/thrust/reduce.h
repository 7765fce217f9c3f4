/**
 * @file reduce.h
 * @brief The algorithms of Thrust's reduce.h.
 */
#ifndef UMSIM_THRUST_REDUCE_H
#define UMSIM_THRUST_REDUCE_H

#include "detail/scanning.h"

#endif
