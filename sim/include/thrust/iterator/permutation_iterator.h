/**
 * @file thrust/iterator/permutation_iterator.h
 * @brief thrust::permutation_iterator: elements in the order that a sequence of indices gives.
 */
#ifndef UMSIM_THRUST_PERMUTATION_ITERATOR_H
#define UMSIM_THRUST_PERMUTATION_ITERATOR_H

#include "../detail/permutation_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/device_ptr.h"
#include "../detail/distance.h"

#include "../detail/brought_lightly.h"

#endif
