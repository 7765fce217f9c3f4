/**
 * @file count.h
 * @brief The algorithms of Thrust's count.h.
 */
#ifndef UMSIM_THRUST_COUNT_H
#define UMSIM_THRUST_COUNT_H

#include "detail/reducing.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/constant_iterator.h"
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/permutation_iterator.h"
#include "detail/scanning.h"
#include "detail/selecting.h"
#include "detail/transform_iterator.h"
#include "detail/zip_iterator.h"

#endif
