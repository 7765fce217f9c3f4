/**
 * @file transform_scan.h
 * @brief The algorithms of Thrust's transform_scan.h.
 */
#ifndef UMSIM_THRUST_TRANSFORM_SCAN_H
#define UMSIM_THRUST_TRANSFORM_SCAN_H

#include "detail/scanning.h"

#endif
