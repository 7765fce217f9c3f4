/**
 * @file thrust/memory.h
 * @brief Pointers, and device_malloc(), device_free(), device_new(), device_delete().
 */
#ifndef UMSIM_THRUST_MEMORY_H
#define UMSIM_THRUST_MEMORY_H

#include "detail/memory.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/functional.h"
#include "detail/transforming.h"
#include "detail/zip_iterator.h"

#endif
