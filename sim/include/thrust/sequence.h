/**
 * @file sequence.h
 * @brief sequence() and its kin.
 */
#ifndef UMSIM_THRUST_SEQUENCE_H
#define UMSIM_THRUST_SEQUENCE_H

#include "detail/transforming.h"

#endif
