/**
 * @file gather.h
 * @brief gather() and its kin.
 */
#ifndef UMSIM_THRUST_GATHER_H
#define UMSIM_THRUST_GATHER_H

#include "detail/transforming.h"

#endif
