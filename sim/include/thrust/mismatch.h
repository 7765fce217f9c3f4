/**
 * @file mismatch.h
 * @brief The algorithms of Thrust's mismatch.h.
 */
#ifndef UMSIM_THRUST_MISMATCH_H
#define UMSIM_THRUST_MISMATCH_H

#include "detail/reducing.h"

#endif
