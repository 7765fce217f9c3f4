/**
 * @file pointer.h
 * @brief thrust::tbb::pointer: a plain one.
 */
#ifndef UMSIM_THRUST_SYSTEM_TBB_POINTER_H
#define UMSIM_THRUST_SYSTEM_TBB_POINTER_H

#include "execution_policy.h"

namespace thrust
{
namespace tbb
{
template <class _Tp> using pointer = _Tp *;
}
} // namespace thrust

#include "../../detail/brought.h"

#endif
