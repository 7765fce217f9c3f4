/**
 * @file execution_policy.h
 * @brief thrust::cpp::par: the host, in a loop.
 */
#ifndef UMSIM_THRUST_SYSTEM_CPP_EXECUTION_POLICY_H
#define UMSIM_THRUST_SYSTEM_CPP_EXECUTION_POLICY_H

#include "../../detail/system.h"

namespace thrust
{
namespace cpp
{
inline constexpr host_execution par{};
using tag = host_execution;
} // namespace cpp
namespace system
{
namespace cpp = ::thrust::cpp;
}
} // namespace thrust

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../../copy.h"
#include "../../merge.h"
#include "../../scan.h"
#include "../../iterator/permutation_iterator.h"
#include "../../iterator/reverse_iterator.h"
#include "../../iterator/transform_iterator.h"
#include "../../detail/brought.h"

#endif
