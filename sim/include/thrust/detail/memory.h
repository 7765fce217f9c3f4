/**
 * @file thrust/detail/memory.h
 * @brief Pointers, and device_malloc(), device_free(), device_new(), device_delete().
 */
#ifndef UMSIM_THRUST_DETAIL_MEMORY_H
#define UMSIM_THRUST_DETAIL_MEMORY_H

#include "device_ptr.h"

namespace thrust
{
/** @return `__n` uninitialized elements of device memory. @throws std::bad_alloc */
template <class _Tp> device_ptr<_Tp> device_malloc(std::size_t __n)
{
    return device_ptr<_Tp>((_Tp *)detail::allocate(detail::on_device{}, __n * sizeof(_Tp)));
}
inline device_ptr<void> device_malloc(std::size_t __bytes)
{
    return device_ptr<void>(detail::allocate(detail::on_device{}, __bytes));
}
/** Frees memory of device_malloc() and device_new(). */
template <class _Tp> void device_free(const device_ptr<_Tp> &__p)
{
    detail::check(cudaFree((void *)__p.get()), "device_free");
}
/** @return `__n` elements, constructed on the device */
template <class _Tp> device_ptr<_Tp> device_new(std::size_t __n = 1)
{
    const device_ptr<_Tp> __made = device_malloc<_Tp>(__n);
    _Tp *const __p = __made.get();
    detail::each(detail::on_device{}, __n, [=](detail::index __i) { ::new ((void *)(__p + __i)) _Tp(); });
    return __made;
}
template <class _Tp> void device_delete(const device_ptr<_Tp> &__p, std::size_t = 1)
{
    device_free(__p);
}
} // namespace thrust

#endif
