/**
 * @file thrust/iterator/reverse_iterator.h
 * @brief thrust::reverse_iterator: from the last element to the first.
 */
#ifndef UMSIM_THRUST_REVERSE_ITERATOR_H
#define UMSIM_THRUST_REVERSE_ITERATOR_H

#include "../detail/reverse_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/device_ptr.h"
#include "../detail/distance.h"

#include "../detail/brought_lightly.h"

#endif
