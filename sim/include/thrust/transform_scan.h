/**
 * @file transform_scan.h
 * @brief The algorithms of Thrust's transform_scan.h.
 */
#ifndef UMSIM_THRUST_TRANSFORM_SCAN_H
#define UMSIM_THRUST_TRANSFORM_SCAN_H

#include "detail/scanning.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/transform_iterator.h"
#include "detail/zip_iterator.h"

#endif
