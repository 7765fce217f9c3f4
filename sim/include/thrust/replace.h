/**
 * @file replace.h
 * @brief replace() and related functions.
 */
#ifndef UMSIM_THRUST_REPLACE_H
#define UMSIM_THRUST_REPLACE_H

#include "detail/transforming.h"

#endif
