/**
 * @file scatter.h
 * @brief scatter() and related functions.
 */
#ifndef UMSIM_THRUST_SCATTER_H
#define UMSIM_THRUST_SCATTER_H

#include "detail/transforming.h"

#endif
