/**
 * @file version.h
 * @brief The version macro THRUST_VERSION.
 */
#ifndef UMSIM_THRUST_VERSION_H
#define UMSIM_THRUST_VERSION_H

#include "detail/system.h"

#include "detail/brought_lightly.h"

#endif
