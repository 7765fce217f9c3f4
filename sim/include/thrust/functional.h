/**
 * @file thrust/functional.h
 * @brief Function objects for both sides, and placeholders (_1, _2).
 */
#ifndef UMSIM_THRUST_FUNCTIONAL_H
#define UMSIM_THRUST_FUNCTIONAL_H

#include "detail/functional.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/device_ptr.h"
#include "tuple.h"

#include "detail/brought_lightly.h"

#endif
