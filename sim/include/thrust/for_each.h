/**
 * @file for_each.h
 * @brief for_each() and related functions.
 */
#ifndef UMSIM_THRUST_FOR_EACH_H
#define UMSIM_THRUST_FOR_EACH_H

#include "detail/transforming.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "tuple.h"

#endif
