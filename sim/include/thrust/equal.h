/**
 * @file equal.h
 * @brief The algorithms of Thrust's equal.h.
 */
#ifndef UMSIM_THRUST_EQUAL_H
#define UMSIM_THRUST_EQUAL_H

#include "detail/reducing.h"

#endif
