/**
 * @file execution_policy.h
 * @brief thrust::device, thrust::host, thrust::seq, thrust::cuda::par.
 */
#ifndef UMSIM_THRUST_EXECUTION_POLICY_H
#define UMSIM_THRUST_EXECUTION_POLICY_H

#include "detail/system.h"

#endif
