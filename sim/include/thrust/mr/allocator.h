/**
 * @file allocator.h
 * @brief thrust::mr::allocator: an allocator, of vectors for instance, over a source of memory.
 */
#ifndef UMSIM_THRUST_MR_ALLOCATOR_H
#define UMSIM_THRUST_MR_ALLOCATOR_H

#include "../device_allocator.h"
#include "memory_resource.h"

namespace thrust
{
namespace detail
{
template <class _Pointer, class _Tp> struct pointer_to {
    using type = device_ptr<_Tp>;
};
template <class _Tp> struct pointer_to<void *, _Tp> {
    using type = _Tp *;
};
} // namespace detail

namespace mr
{
/** Memory of a resource, which outlives the allocator. */
template <class _Tp, class _Resource> class allocator
{
    _Resource *__resource_;

  public:
    using value_type = _Tp;
    using void_pointer = typename _Resource::pointer;
    using pointer = typename detail::pointer_to<void_pointer, _Tp>::type;
    using const_pointer = typename detail::pointer_to<void_pointer, const _Tp>::type;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_copy_assignment = std::true_type;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;
    template <class _Up> struct rebind {
        using other = allocator<_Up, _Resource>;
    };
    allocator(_Resource *__resource) : __resource_(__resource)
    {
    }
    template <class _Up> allocator(const allocator<_Up, _Resource> &__other) : __resource_(__other.resource())
    {
    }
    pointer allocate(std::size_t __n)
    {
        return static_cast<pointer>(__resource_->do_allocate(__n * sizeof(_Tp), alignof(_Tp)));
    }
    void deallocate(pointer __p, std::size_t __n) noexcept
    {
        __resource_->do_deallocate(__p, __n * sizeof(_Tp), alignof(_Tp));
    }
    _Resource *resource() const
    {
        return __resource_;
    }
    friend bool operator==(const allocator &__a, const allocator &__b)
    {
        return *__a.__resource_ == *__b.__resource_;
    }
    friend bool operator!=(const allocator &__a, const allocator &__b)
    {
        return !(__a == __b);
    }
};

/** The same over the one resource of its class. */
template <class _Tp, class _Resource> class stateless_resource_allocator : public allocator<_Tp, _Resource>
{
  public:
    template <class _Up> struct rebind {
        using other = stateless_resource_allocator<_Up, _Resource>;
    };
    stateless_resource_allocator() : allocator<_Tp, _Resource>(get_global_resource<_Resource>())
    {
    }
    template <class _Up>
    stateless_resource_allocator(const stateless_resource_allocator<_Up, _Resource> &__other)
        : allocator<_Tp, _Resource>(__other)
    {
    }
};
} // namespace mr
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
