/**
 * @file pointer.h
 * @brief thrust::cpp::pointer: a plain one.
 */
#ifndef UMSIM_THRUST_SYSTEM_CPP_POINTER_H
#define UMSIM_THRUST_SYSTEM_CPP_POINTER_H

#include "execution_policy.h"

namespace thrust
{
namespace cpp
{
template <class _Tp> using pointer = _Tp *;
}
} // namespace thrust

#include "../../detail/brought.h"

#endif
