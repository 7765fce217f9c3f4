/**
 * @file vector.h
 * @brief thrust::tbb::vector: in the host's memory.
 */
#ifndef UMSIM_THRUST_SYSTEM_TBB_VECTOR_H
#define UMSIM_THRUST_SYSTEM_TBB_VECTOR_H

#include "../../host_vector.h"
#include "memory.h"

namespace thrust
{
namespace tbb
{
template <class _Tp, class _Alloc = std::allocator<_Tp>> using vector = host_vector<_Tp, _Alloc>;
}
} // namespace thrust

#include "../../detail/brought.h"

#endif
