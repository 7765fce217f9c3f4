/**
 * @file iterator_adaptor.h
 * @brief thrust::iterator_adaptor: another iterator, of which a program changes some functions.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_ADAPTOR_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_ADAPTOR_H

#include "../detail/iterator_adaptor.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/brought_lightly.h"

#endif
