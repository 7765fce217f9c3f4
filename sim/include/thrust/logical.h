/**
 * @file logical.h
 * @brief The algorithms of Thrust's logical.h.
 */
#ifndef UMSIM_THRUST_LOGICAL_H
#define UMSIM_THRUST_LOGICAL_H

#include "detail/reducing.h"

#endif
