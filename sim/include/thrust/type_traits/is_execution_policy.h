/**
 * @file is_execution_policy.h
 * @brief thrust::is_execution_policy.
 */
#ifndef UMSIM_THRUST_TYPE_TRAITS_IS_EXECUTION_POLICY_H
#define UMSIM_THRUST_TYPE_TRAITS_IS_EXECUTION_POLICY_H

#include "../detail/system.h"

namespace thrust
{
template <class _Tp> using is_execution_policy = detail::is_policy<_Tp>;
template <class _Tp> constexpr bool is_execution_policy_v = is_execution_policy<_Tp>::value;
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
