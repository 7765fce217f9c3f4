/**
 * @file thrust/pair.h
 * @brief thrust::pair, which is std::pair.
 */
#ifndef UMSIM_THRUST_PAIR_H
#define UMSIM_THRUST_PAIR_H

#include "detail/pair.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "tuple.h"

#include "detail/brought_lightly.h"

#endif
