/**
 * @file thrust/memory.h
 * @brief Pointers, and device_malloc(), device_free(), device_new(), device_delete().
 */
#ifndef UMSIM_THRUST_MEMORY_H
#define UMSIM_THRUST_MEMORY_H

#include "detail/memory.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "adjacent_difference.h"
#include "advance.h"
#include "functional.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/zip_iterator.h"

#endif
