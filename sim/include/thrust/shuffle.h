/**
 * @file shuffle.h
 * @brief thrust::shuffle(), shuffle_copy().
 */
#ifndef UMSIM_THRUST_SHUFFLE_H
#define UMSIM_THRUST_SHUFFLE_H

#include "detail/shuffling.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "iterator/transform_iterator.h"
#include "iterator/transform_output_iterator.h"
#include "random.h"
#include "detail/brought.h"

#endif
