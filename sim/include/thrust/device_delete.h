/**
 * @file device_delete.h
 * @brief thrust::device_delete().
 */
#ifndef UMSIM_THRUST_DEVICE_DELETE_H
#define UMSIM_THRUST_DEVICE_DELETE_H

#include "memory.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "adjacent_difference.h"
#include "advance.h"
#include "functional.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/zip_iterator.h"

#endif
