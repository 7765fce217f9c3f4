/**
 * @file transform_scan.h
 * @brief The algorithms of Thrust's transform_scan.h.
 */
#ifndef UMSIM_THRUST_TRANSFORM_SCAN_H
#define UMSIM_THRUST_TRANSFORM_SCAN_H

#include "detail/scanning.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/transform_iterator.h"
#include "iterator/zip_iterator.h"

#endif
