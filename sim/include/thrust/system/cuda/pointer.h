/**
 * @file pointer.h
 * @brief thrust::cuda::pointer.
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_POINTER_H
#define UMSIM_THRUST_SYSTEM_CUDA_POINTER_H

#include "../../memory.h"

namespace thrust
{
namespace cuda
{
template <class _Tp> using pointer = device_ptr<_Tp>;
template <class _Tp> using universal_pointer = universal_ptr<_Tp>;
template <class _Tp> using reference = device_reference<_Tp>;
} // namespace cuda
} // namespace thrust

#include "../../detail/brought.h"

#endif
