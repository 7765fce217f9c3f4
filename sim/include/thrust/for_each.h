/**
 * @file for_each.h
 * @brief for_each() and related functions.
 */
#ifndef UMSIM_THRUST_FOR_EACH_H
#define UMSIM_THRUST_FOR_EACH_H

#include "detail/transforming.h"

#endif
