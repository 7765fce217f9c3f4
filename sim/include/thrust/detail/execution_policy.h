/**
 * @file execution_policy.h
 * @brief thrust::device and thrust::host.
 */
#ifndef UMSIM_THRUST_DETAIL_EXECUTION_POLICY_H
#define UMSIM_THRUST_DETAIL_EXECUTION_POLICY_H

#include "system.h"

#endif
