/**
 * @file copy.h
 * @brief thrust::copy(), copy_n(), copy_if().
 */
#ifndef UMSIM_THRUST_COPY_H
#define UMSIM_THRUST_COPY_H

#include "detail/selecting.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "advance.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"

#endif
