/**
 * @file gather.h
 * @brief gather() and related functions.
 */
#ifndef UMSIM_THRUST_GATHER_H
#define UMSIM_THRUST_GATHER_H

#include "detail/transforming.h"

#endif
