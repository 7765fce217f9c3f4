/**
 * @file unique.h
 * @brief The algorithms of Thrust's unique.h.
 */
#ifndef UMSIM_THRUST_UNIQUE_H
#define UMSIM_THRUST_UNIQUE_H

#include "detail/selecting.h"

#endif
