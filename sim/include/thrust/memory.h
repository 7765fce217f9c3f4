/**
 * @file memory.h
 * @brief Pointers, and device_malloc(), device_free(), device_new(), device_delete().
 */
#ifndef UMSIM_THRUST_MEMORY_H
#define UMSIM_THRUST_MEMORY_H

#include "device_ptr.h"

namespace thrust
{
/** @return `n` elements of device memory, of any content. @throws std::bad_alloc */
template <class T> device_ptr<T> device_malloc(std::size_t n)
{
    return device_ptr<T>((T *)detail::allocate(detail::on_device{}, n * sizeof(T)));
}
inline device_ptr<void> device_malloc(std::size_t bytes)
{
    return device_ptr<void>(detail::allocate(detail::on_device{}, bytes));
}
/** Of device_malloc() and device_new(). */
template <class T> void device_free(const device_ptr<T> &p)
{
    detail::check(cudaFree((void *)p.get()), "device_free");
}
/** @return `n` elements, constructed on the device */
template <class T> device_ptr<T> device_new(std::size_t n = 1)
{
    const device_ptr<T> made = device_malloc<T>(n);
    T *const p = made.get();
    detail::each(detail::on_device{}, n, [=](detail::index i) { ::new ((void *)(p + i)) T(); });
    return made;
}
template <class T> void device_delete(const device_ptr<T> &p, std::size_t = 1)
{
    device_free(p);
}
} // namespace thrust

#endif
