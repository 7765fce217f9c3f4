/**
 * @file execution_policy.h
 * @brief thrust::cuda::par.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H
#define UMSIM_THRUST_SYSTEM_CUDA_EXECUTION_POLICY_H

#include "../../detail/system.h"

#endif
