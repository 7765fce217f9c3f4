/**
 * @file thrust/iterator/transform_iterator.h
 * @brief thrust::transform_iterator: a function's values, computed when they are read.
 */
#ifndef UMSIM_THRUST_TRANSFORM_ITERATOR_H
#define UMSIM_THRUST_TRANSFORM_ITERATOR_H

#include "../detail/transform_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/device_ptr.h"
#include "../detail/distance.h"
#include "../detail/functional.h"
#include "../tuple.h"

#include "../detail/brought_lightly.h"

#endif
