/**
 * @file thrust/iterator/constant_iterator.h
 * @brief thrust::constant_iterator: one value, repeated.
 */
#ifndef UMSIM_THRUST_CONSTANT_ITERATOR_H
#define UMSIM_THRUST_CONSTANT_ITERATOR_H

#include "../detail/constant_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/counting_iterator.h"
#include "../detail/device_ptr.h"
#include "../detail/distance.h"

#include "../detail/brought_lightly.h"

#endif
