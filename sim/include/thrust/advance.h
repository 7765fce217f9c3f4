/**
 * @file advance.h
 * @brief thrust::advance().
 */
#ifndef UMSIM_THRUST_ADVANCE_H
#define UMSIM_THRUST_ADVANCE_H

#include "distance.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "device_ptr.h"
#include "execution_policy.h"
#include "system/cuda/error.h"

#endif
