/**
 * @file swap.h
 * @brief swap() and related functions.
 */
#ifndef UMSIM_THRUST_SWAP_H
#define UMSIM_THRUST_SWAP_H

#include "detail/transforming.h"

#endif
