/**
 * @file generate.h
 * @brief generate() and related functions.
 */
#ifndef UMSIM_THRUST_GENERATE_H
#define UMSIM_THRUST_GENERATE_H

#include "detail/transforming.h"

#endif
