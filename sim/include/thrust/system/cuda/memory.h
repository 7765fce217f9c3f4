/**
 * @file memory.h
 * @brief thrust::cuda::allocator, malloc() and free().
 */
#ifndef UMSIM_THRUST_SYSTEM_CUDA_MEMORY_H
#define UMSIM_THRUST_SYSTEM_CUDA_MEMORY_H

#include "../../device_allocator.h"
#include "pointer.h"

namespace thrust
{
namespace cuda
{
template <class _Tp> using allocator = device_allocator<_Tp>;
template <class _Tp> using universal_allocator = thrust::universal_allocator<_Tp>;
/** @return `__n` uninitialized elements. @throws std::bad_alloc */
template <class _Tp> pointer<_Tp> malloc(std::size_t __n)
{
    return device_malloc<_Tp>(__n);
}
template <class _Tp> void free(const pointer<_Tp> &__p)
{
    device_free(__p);
}
} // namespace cuda
} // namespace thrust

#include "../../detail/brought.h"

#endif
