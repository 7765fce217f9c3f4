/**
 * @file thrust/iterator/counting_iterator.h
 * @brief thrust::counting_iterator: consecutive numbers, without memory.
 */
#ifndef UMSIM_THRUST_COUNTING_ITERATOR_H
#define UMSIM_THRUST_COUNTING_ITERATOR_H

#include "../detail/counting_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/device_ptr.h"
#include "../detail/distance.h"

#include "../detail/brought_lightly.h"

#endif
