/**
 * @file mismatch.h
 * @brief The algorithms of Thrust's mismatch.h.
 */
#ifndef UMSIM_THRUST_MISMATCH_H
#define UMSIM_THRUST_MISMATCH_H

#include "detail/reducing.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "copy.h"
#include "iterator/constant_iterator.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/transform_iterator.h"
#include "iterator/zip_iterator.h"
#include "reduce.h"

#endif
