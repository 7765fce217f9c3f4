/**
 * @file thrust/iterator/zip_iterator.h
 * @brief thrust::zip_iterator: tuples of several iterators' elements.
 */
#ifndef UMSIM_THRUST_ZIP_ITERATOR_H
#define UMSIM_THRUST_ZIP_ITERATOR_H

#include "../detail/zip_iterator.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/device_ptr.h"
#include "../detail/distance.h"

#include "../detail/brought_lightly.h"

#endif
