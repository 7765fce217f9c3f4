/**
 * @file extrema.h
 * @brief The algorithms of Thrust's extrema.h.
 */
#ifndef UMSIM_THRUST_EXTREMA_H
#define UMSIM_THRUST_EXTREMA_H

#include "detail/reducing.h"

#endif
