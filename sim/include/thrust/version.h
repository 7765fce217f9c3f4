/**
 * @file version.h
 * @brief THRUST_VERSION.
 */
#ifndef UMSIM_THRUST_VERSION_H
#define UMSIM_THRUST_VERSION_H

#include "detail/system.h"

#endif
