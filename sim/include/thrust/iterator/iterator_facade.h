/**
 * @file iterator_facade.h
 * @brief thrust::iterator_facade: an iterator of a program's own, made from a few functions.
 */
#ifndef UMSIM_THRUST_ITERATOR_ITERATOR_FACADE_H
#define UMSIM_THRUST_ITERATOR_ITERATOR_FACADE_H

#include "../detail/iterator_facade.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../detail/brought_lightly.h"

#endif
