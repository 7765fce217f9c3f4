/**
 * @file thrust/iterator/discard_iterator.h
 * @brief thrust::discard_iterator: discards whatever is written to it.
 */
#ifndef UMSIM_THRUST_DISCARD_ITERATOR_H
#define UMSIM_THRUST_DISCARD_ITERATOR_H

#include "../detail/discard_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/counting_iterator.h"
#include "../detail/device_ptr.h"
#include "../detail/distance.h"

#include "../detail/brought_lightly.h"

#endif
