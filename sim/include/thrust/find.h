/**
 * @file find.h
 * @brief The algorithms of Thrust's find.h.
 */
#ifndef UMSIM_THRUST_FIND_H
#define UMSIM_THRUST_FIND_H

#include "detail/reducing.h"

#endif
