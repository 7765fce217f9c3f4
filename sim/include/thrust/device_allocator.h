/**
 * @file device_allocator.h
 * @brief Allocators of device and of managed memory.
 */
#ifndef UMSIM_THRUST_DEVICE_ALLOCATOR_H
#define UMSIM_THRUST_DEVICE_ALLOCATOR_H

#include "detail/memory.h"

namespace thrust
{
namespace detail
{
/* What allocators of one kind have in common; all of them are equal. */
template <class _Self, class _Tp, class _Pointer, class _ConstPointer> struct allocator_of {
    using value_type = _Tp;
    using pointer = _Pointer;
    using const_pointer = _ConstPointer;
    using reference = decltype(*std::declval<_Pointer>());
    using const_reference = decltype(*std::declval<_ConstPointer>());
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_move_assignment = std::true_type;
    using is_always_equal = std::true_type;
    size_type max_size() const
    {
        return PTRDIFF_MAX / sizeof(_Tp);
    }
    friend bool operator==(const _Self &, const _Self &)
    {
        return true;
    }
    friend bool operator!=(const _Self &, const _Self &)
    {
        return false;
    }
};
} // namespace detail

/** Memory of cudaMalloc(). */
template <class _Tp>
struct device_allocator
    : detail::allocator_of<device_allocator<_Tp>, _Tp, device_ptr<_Tp>, device_ptr<const _Tp>> {
    template <class _Up> struct rebind {
        using other = device_allocator<_Up>;
    };
    device_allocator() = default;
    template <class _Up> device_allocator(const device_allocator<_Up> &)
    {
    }
    /** @throws std::bad_alloc */
    device_ptr<_Tp> allocate(std::size_t __n)
    {
        return device_malloc<_Tp>(__n);
    }
    void deallocate(device_ptr<_Tp> __p, std::size_t)
    {
        cudaFree((void *)__p.get());
    }
};
template <class _Tp> using device_malloc_allocator = device_allocator<_Tp>;
template <class _Tp> using device_new_allocator = device_allocator<_Tp>;

/** Memory of cudaMallocManaged(). */
template <class _Tp>
struct universal_allocator
    : detail::allocator_of<universal_allocator<_Tp>, _Tp, universal_ptr<_Tp>, universal_ptr<const _Tp>> {
    template <class _Up> struct rebind {
        using other = universal_allocator<_Up>;
    };
    universal_allocator() = default;
    template <class _Up> universal_allocator(const universal_allocator<_Up> &)
    {
    }
    /** @throws std::bad_alloc */
    universal_ptr<_Tp> allocate(std::size_t __n)
    {
        void *__p = nullptr;
        if (__n != 0 && cudaMallocManaged(&__p, __n * sizeof(_Tp)) != cudaSuccess) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return universal_ptr<_Tp>((_Tp *)__p);
    }
    void deallocate(universal_ptr<_Tp> __p, std::size_t)
    {
        cudaFree((void *)__p.get());
    }
};
} // namespace thrust

/* As NVIDIA's header brings them: tests/parity/brings.py compares. */
#include "detail/brought.h"

#endif
