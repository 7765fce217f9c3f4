/**
 * @file remove.h
 * @brief The algorithms of Thrust's remove.h.
 */
#ifndef UMSIM_THRUST_REMOVE_H
#define UMSIM_THRUST_REMOVE_H

#include "detail/selecting.h"

#endif
