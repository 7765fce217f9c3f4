/**
 * @file iterator_categories.h
 * @brief thrust::iterator_traits.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_CATEGORIES_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_CATEGORIES_H

#include "../distance.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../device_ptr.h"
#include "../execution_policy.h"
#include "../system/cuda/error.h"

#endif
