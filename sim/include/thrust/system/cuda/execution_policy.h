/**
 * @file execution_policy.h
 * @brief thrust::cuda::par.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H
#define UMSIM_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H

#include "../../detail/system.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../../advance.h"
#include "../../device_ptr.h"
#include "../../functional.h"
#include "../../iterator/counting_iterator.h"
#include "../../iterator/discard_iterator.h"
#include "../../tuple.h"

#endif
