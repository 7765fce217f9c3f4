/**
 * @file count.h
 * @brief The algorithms of Thrust's count.h.
 */
#ifndef UMSIM_THRUST_COUNT_H
#define UMSIM_THRUST_COUNT_H

#include "detail/reducing.h"

#endif
