/**
 * @file execution_policy.h
 * @brief thrust::device, thrust::host, thrust::seq, thrust::cuda::par.
 */
#ifndef UMSIM_THRUST_EXECUTION_POLICY_H
#define UMSIM_THRUST_EXECUTION_POLICY_H

#include "detail/system.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/counting_iterator.h"
#include "detail/brought.h"
#include "detail/discard_iterator.h"
#include "detail/distance.h"
#include "detail/functional.h"
#include "detail/permutation_iterator.h"
#include "detail/reverse_iterator.h"
#include "detail/scanning.h"
#include "detail/selecting.h"
#include "detail/sorting.h"
#include "detail/transform_iterator.h"
#include "detail/transforming.h"
#include "detail/zip_iterator.h"

#endif
