/**
 * @file execution_policy.h
 * @brief thrust::device, thrust::host, thrust::seq, thrust::cuda::par.
 */
#ifndef UMSIM_THRUST_EXECUTION_POLICY_H
#define UMSIM_THRUST_EXECUTION_POLICY_H

#include "detail/system.h"

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "adjacent_difference.h"
#include "advance.h"
#include "binary_search.h"
#include "copy.h"
#include "functional.h"
#include "iterator/counting_iterator.h"
#include "iterator/discard_iterator.h"
#include "iterator/permutation_iterator.h"
#include "iterator/reverse_iterator.h"
#include "iterator/transform_iterator.h"
#include "iterator/zip_iterator.h"
#include "reduce.h"

#endif
