/**
 * @file scan.h
 * @brief The algorithms of Thrust's scan.h.
 */
#ifndef UMSIM_THRUST_SCAN_H
#define UMSIM_THRUST_SCAN_H

#include "detail/scanning.h"

#endif
