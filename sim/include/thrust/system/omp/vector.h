/**
 * @file vector.h
 * @brief thrust::omp::vector: in the host's memory.
 */
#ifndef UMSIM_THRUST_SYSTEM_OMP_VECTOR_H
#define UMSIM_THRUST_SYSTEM_OMP_VECTOR_H

#include "../../host_vector.h"
#include "memory.h"

namespace thrust
{
namespace omp
{
template <class _Tp, class _Alloc = std::allocator<_Tp>> using vector = host_vector<_Tp, _Alloc>;
}
} // namespace thrust

#include "../../detail/brought.h"

#endif
