/**
 * @file execution_policy.h
 * @brief thrust::cuda::par.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H
#define UMSIM_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H

#include "../../detail/system.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../../detail/counting_iterator.h"
#include "../../detail/device_ptr.h"
#include "../../detail/discard_iterator.h"
#include "../../detail/distance.h"
#include "../../detail/functional.h"
#include "../../tuple.h"

#include "../../detail/brought.h"

#endif
