/**
 * @file vector.h
 * @brief thrust::cuda::vector and universal_vector.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_VECTOR_H
#define UMSIM_THRUST_SYSTEM_CUDA_VECTOR_H

#include "../../device_vector.h"
#include "../../universal_vector.h"
#include "memory.h"

namespace thrust
{
namespace cuda
{
template <class _Tp, class _Alloc = device_allocator<_Tp>> using vector = device_vector<_Tp, _Alloc>;
template <class _Tp> using universal_vector = thrust::universal_vector<_Tp>;
} // namespace cuda
} // namespace thrust

#include "../../detail/brought.h"

#endif
