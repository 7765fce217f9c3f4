/**
 * @file sequence.h
 * @brief sequence() and related functions.
 */
#ifndef UMSIM_THRUST_SEQUENCE_H
#define UMSIM_THRUST_SEQUENCE_H

#include "detail/transforming.h"

#endif
