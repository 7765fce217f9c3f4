/**
 * @file sequence.h
 * @brief sequence() and related functions.
 */
#ifndef UMSIM_THRUST_SEQUENCE_H
#define UMSIM_THRUST_SEQUENCE_H

#include "detail/transforming.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/zip_iterator.h"

#endif
