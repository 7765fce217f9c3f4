/**
 * @file allocate_unique.h
 * @brief thrust::allocate_unique(), uninitialized_allocate_unique() and device_make_unique(): owners of one
 * object.
 */
#ifndef UMSIM_THRUST_ALLOCATE_UNIQUE_H
#define UMSIM_THRUST_ALLOCATE_UNIQUE_H

#include "device_allocator.h"

#include <memory>

namespace thrust
{
/** Gives memory of an allocator back, after the object's destruction on the host, or without it. */
template <class _Tp, class _Alloc, bool _Constructed = true> class allocator_delete
{
    _Alloc __alloc_;
    std::size_t __count_;

  public:
    using pointer = decltype(std::declval<_Alloc &>().allocate(1));
    allocator_delete() = default;
    explicit allocator_delete(const _Alloc &__alloc, std::size_t __count = 1)
        : __alloc_(__alloc), __count_(__count)
    {
    }
    void operator()(pointer __p)
    {
        if constexpr (_Constructed && std::is_pointer_v<pointer>)
            std::destroy_n(__p, __count_);
        __alloc_.deallocate(__p, __count_);
    }
};
template <class _Tp, class _Alloc>
using uninitialized_allocator_delete = allocator_delete<_Tp, _Alloc, false>;

namespace detail
{
template <class _Tp, class _Alloc, class... _Ap>
void construct_at(_Tp *__p, std::size_t __n, const _Ap &...__a)
{
    using _Sp = std::conditional_t<std::is_pointer_v<decltype(std::declval<_Alloc &>().allocate(1))>, on_host,
                                   on_device>;
    each(_Sp{}, __n, [=](index __i) { ::new ((void *)(__p + __i)) _Tp(__a...); });
}
template <class _Tp, class _Alloc>
using rebound = typename std::allocator_traits<_Alloc>::template rebind_alloc<_Tp>;
} // namespace detail

/** An object in memory of the allocator's. @throws std::bad_alloc */
template <class _Tp, class _Alloc, class... _Ap> auto allocate_unique(const _Alloc &__alloc, _Ap &&...__a)
{
    using __allocator = detail::rebound<_Tp, _Alloc>;
    using __owner = std::unique_ptr<_Tp, allocator_delete<_Tp, __allocator>>;
    __allocator __mine(__alloc);
    __owner __made(__mine.allocate(1), allocator_delete<_Tp, __allocator>(__mine));
    detail::construct_at<_Tp, __allocator>(raw_pointer_cast(__made.get()), 1, __a...);
    return __made;
}
/** `__n` objects. */
template <class _Tp, class _Alloc, class... _Ap>
auto allocate_unique_n(const _Alloc &__alloc, std::size_t __n, _Ap &&...__a)
{
    using __allocator = detail::rebound<_Tp, _Alloc>;
    using __owner = std::unique_ptr<_Tp[], allocator_delete<_Tp, __allocator>>;
    __allocator __mine(__alloc);
    __owner __made(__mine.allocate(__n), allocator_delete<_Tp, __allocator>(__mine, __n));
    detail::construct_at<_Tp, __allocator>(raw_pointer_cast(__made.get()), __n, __a...);
    return __made;
}
/** Memory without an object in it. */
template <class _Tp, class _Alloc> auto uninitialized_allocate_unique(const _Alloc &__alloc)
{
    using __allocator = detail::rebound<_Tp, _Alloc>;
    __allocator __mine(__alloc);
    using __delete = uninitialized_allocator_delete<_Tp, __allocator>;
    return std::unique_ptr<_Tp, __delete>(__mine.allocate(1), __delete(__mine));
}
/** An object in device memory. */
template <class _Tp, class... _Ap> auto device_make_unique(_Ap &&...__a)
{
    return allocate_unique<_Tp>(device_allocator<_Tp>(), __a...);
}
} // namespace thrust

#include "detail/brought_lightly.h"

#endif
