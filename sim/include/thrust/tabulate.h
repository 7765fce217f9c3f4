/**
 * @file tabulate.h
 * @brief tabulate() and related functions.
 */
#ifndef UMSIM_THRUST_TABULATE_H
#define UMSIM_THRUST_TABULATE_H

#include "detail/transforming.h"

#endif
