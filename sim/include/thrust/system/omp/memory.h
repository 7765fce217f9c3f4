/**
 * @file memory.h
 * @brief thrust::omp::allocator, malloc() and free().
 */
#ifndef UMSIM_THRUST_SYSTEM_OMP_MEMORY_H
#define UMSIM_THRUST_SYSTEM_OMP_MEMORY_H

#include "pointer.h"
#include <memory>

namespace thrust
{
namespace omp
{
template <class _Tp> using allocator = std::allocator<_Tp>;
/** @return `__n` uninitialized elements. @throws std::bad_alloc */
template <class _Tp> pointer<_Tp> malloc(std::size_t __n)
{
    return (_Tp *)detail::allocate(detail::on_host{}, __n * sizeof(_Tp));
}
template <class _Tp> void free(pointer<_Tp> __p)
{
    detail::release(detail::on_host{}, (void *)__p);
}
} // namespace omp
} // namespace thrust

#include "../../detail/brought.h"

#endif
