/**
 * @file execution_policy.h
 * @brief thrust::tbb::par: the host, in a loop.
 */
#ifndef UMSIM_THRUST_SYSTEM_TBB_EXECUTION_POLICY_H
#define UMSIM_THRUST_SYSTEM_TBB_EXECUTION_POLICY_H

#include "../../detail/system.h"

namespace thrust
{
namespace tbb
{
inline constexpr host_execution par{};
using tag = host_execution;
} // namespace tbb
namespace system
{
namespace tbb = ::thrust::tbb;
}
} // namespace thrust

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "../../detail/brought.h"

#endif
