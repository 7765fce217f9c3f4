/**
 * @file memory.h
 * @brief thrust::tbb::allocator, malloc() and free().
 */
#ifndef UMSIM_THRUST_SYSTEM_TBB_MEMORY_H
#define UMSIM_THRUST_SYSTEM_TBB_MEMORY_H

#include "pointer.h"
#include <memory>

namespace thrust
{
namespace tbb
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
} // namespace tbb
} // namespace thrust

#include "../../detail/brought.h"

#endif
