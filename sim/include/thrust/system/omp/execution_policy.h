/**
 * @file execution_policy.h
 * @brief thrust::omp::par: the host, in a loop.
 */
#ifndef UMSIM_THRUST_SYSTEM_OMP_EXECUTION_POLICY_H
#define UMSIM_THRUST_SYSTEM_OMP_EXECUTION_POLICY_H

#include "../../detail/system.h"

namespace thrust
{
namespace omp
{
inline constexpr host_execution par{};
using tag = host_execution;
} // namespace omp
namespace system
{
namespace omp = ::thrust::omp;
}
} // namespace thrust

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../../binary_search.h"
#include "../../copy.h"
#include "../../count.h"
#include "../../extrema.h"
#include "../../find.h"
#include "../../merge.h"
#include "../../partition.h"
#include "../../reduce.h"
#include "../../remove.h"
#include "../../scan.h"
#include "../../sort.h"
#include "../../transform_reduce.h"
#include "../../unique.h"
#include "../../iterator/permutation_iterator.h"
#include "../../iterator/reverse_iterator.h"
#include "../../iterator/transform_iterator.h"
#include "../../detail/brought.h"

#endif
