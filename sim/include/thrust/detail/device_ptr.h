/**
 * @file thrust/detail/device_ptr.h
 * @brief device_ptr: an address in device memory.
 *
 * What it points to is a device_reference, which the host reads and writes by cudaMemcpy, one transfer each
 * time.
 */
#ifndef UMSIM_THRUST_DETAIL_DEVICE_PTR_H
#define UMSIM_THRUST_DETAIL_DEVICE_PTR_H

#include "system.h"

#include <ostream>

namespace thrust
{
template <class _Tp> class device_ptr;

/** An element in device memory. @throws thrust::system_error when a transfer fails */
template <class _Tp> class device_reference
{
  public:
    using value_type = std::remove_cv_t<_Tp>;
    using pointer = device_ptr<_Tp>;

    explicit device_reference(const device_ptr<_Tp> &__at) : __p_(__at.get())
    {
    }
    device_reference(const device_reference &) = default;
    operator value_type() const
    {
        if (umsim_in_kernel())
            return *__p_;
        alignas(_Tp) unsigned char __bytes[sizeof(_Tp)];
        detail::check(cudaMemcpy(__bytes, __p_, sizeof(_Tp), cudaMemcpyDeviceToHost),
                      "reading an element of the device");
        return *(value_type *)__bytes;
    }
    const device_reference &operator=(const value_type &__value) const
    {
        if (umsim_in_kernel())
            *__p_ = __value;
        else
            detail::check(cudaMemcpy(__p_, &__value, sizeof(_Tp), cudaMemcpyHostToDevice),
                          "writing an element of the device");
        return *this;
    }
    const device_reference &operator=(const device_reference &__other) const
    {
        return *this = (value_type)__other;
    }
    device_reference &operator=(const device_reference &__other)
    {
        static_cast<const device_reference &>(*this) = (value_type)__other;
        return *this;
    }
    template <class _Up> const device_reference &operator=(const device_reference<_Up> &__other) const
    {
        return *this = (value_type)(typename device_reference<_Up>::value_type)__other;
    }
    device_ptr<_Tp> operator&() const
    {
        return device_ptr<_Tp>(__p_);
    }
#define UMSIM_THRUST_ASSIGNS(op)                                                                             \
    template <class _Up> const device_reference &operator op##=(const _Up &__value) const                    \
    {                                                                                                        \
        return *this = (value_type)((value_type) * this op __value);                                         \
    }
    UMSIM_THRUST_ASSIGNS(+)
    UMSIM_THRUST_ASSIGNS(-)
    UMSIM_THRUST_ASSIGNS(*)
    UMSIM_THRUST_ASSIGNS(/)
    UMSIM_THRUST_ASSIGNS(%)
    UMSIM_THRUST_ASSIGNS(&)
    UMSIM_THRUST_ASSIGNS(|)
    UMSIM_THRUST_ASSIGNS(^)
    UMSIM_THRUST_ASSIGNS(<<)
    UMSIM_THRUST_ASSIGNS(>>)
#undef UMSIM_THRUST_ASSIGNS
    const device_reference &operator++() const
    {
        return *this += 1;
    }
    const device_reference &operator--() const
    {
        return *this -= 1;
    }
    value_type operator++(int) const
    {
        const value_type __old = *this;
        *this += 1;
        return __old;
    }
    value_type operator--(int) const
    {
        const value_type __old = *this;
        *this -= 1;
        return __old;
    }
    friend void swap(const device_reference &__a, const device_reference &__b)
    {
        const value_type __old = __a;
        __a = __b;
        __b = __old;
    }
    friend std::ostream &operator<<(std::ostream &__out, const device_reference &__r)
    {
        return __out << (value_type)__r;
    }

  private:
    _Tp *__p_;
};

namespace detail
{
/* The arithmetic of pointers. Self has a constructor from T *. */
template <class _Self, class _Tp, class _Reference, memory_space _Space> class pointer_like
{
  public:
    using element_type = _Tp;
    using value_type = std::remove_cv_t<_Tp>;
    using difference_type = std::ptrdiff_t;
    using pointer = _Self;
    using reference = _Reference;
    using raw_pointer = _Tp *;
    using iterator_category = std::random_access_iterator_tag;
    static constexpr memory_space thrust_memory_space = _Space;

    pointer_like() = default;
    explicit pointer_like(_Tp *__p) : __p_(__p)
    {
    }
    _Tp *get() const
    {
        return __p_;
    }
    _Tp *thrust_raw() const
    {
        return __p_;
    }
    explicit operator bool() const
    {
        return __p_ != nullptr;
    }
    _Reference operator[](difference_type __i) const
    {
        return *_Self(__p_ + __i);
    }
    _Self &operator+=(difference_type __n)
    {
        __p_ += __n;
        return (_Self &)*this;
    }
    _Self &operator-=(difference_type __n)
    {
        __p_ -= __n;
        return (_Self &)*this;
    }
    _Self &operator++()
    {
        return *this += 1;
    }
    _Self &operator--()
    {
        return *this -= 1;
    }
    _Self operator++(int)
    {
        return _Self(__p_++);
    }
    _Self operator--(int)
    {
        return _Self(__p_--);
    }
    friend _Self operator+(const _Self &__a, difference_type __n)
    {
        return _Self(__a.get() + __n);
    }
    friend _Self operator+(difference_type __n, const _Self &__a)
    {
        return _Self(__a.get() + __n);
    }
    friend _Self operator-(const _Self &__a, difference_type __n)
    {
        return _Self(__a.get() - __n);
    }

  private:
    _Tp *__p_ = nullptr;
};

#define UMSIM_THRUST_COMPARES(name, op)                                                                      \
    template <class _Tp, class _Up> bool operator op(const name<_Tp> &__a, const name<_Up> &__b)             \
    {                                                                                                        \
        return __a.get() op __b.get();                                                                       \
    }
#define UMSIM_THRUST_POINTERS(name)                                                                          \
    UMSIM_THRUST_COMPARES(name, ==)                                                                          \
    UMSIM_THRUST_COMPARES(name, !=)                                                                          \
    UMSIM_THRUST_COMPARES(name, <)                                                                           \
    UMSIM_THRUST_COMPARES(name, >)                                                                           \
    UMSIM_THRUST_COMPARES(name, <=)                                                                          \
    UMSIM_THRUST_COMPARES(name, >=)                                                                          \
    template <class _Tp> bool operator==(const name<_Tp> &__a, std::nullptr_t)                               \
    {                                                                                                        \
        return !__a.get();                                                                                   \
    }                                                                                                        \
    template <class _Tp> bool operator!=(const name<_Tp> &__a, std::nullptr_t)                               \
    {                                                                                                        \
        return __a.get();                                                                                    \
    }                                                                                                        \
    template <class _Tp, class _Up> std::ptrdiff_t operator-(const name<_Tp> &__a, const name<_Up> &__b)     \
    {                                                                                                        \
        return __a.get() - __b.get();                                                                        \
    }
} // namespace detail

/** An address in device memory, of cudaMalloc() for instance. */
template <class _Tp>
class device_ptr
    : public detail::pointer_like<device_ptr<_Tp>, _Tp, device_reference<_Tp>, detail::memory_space::device>
{
    using base =
        detail::pointer_like<device_ptr<_Tp>, _Tp, device_reference<_Tp>, detail::memory_space::device>;

  public:
    device_ptr() = default;
    device_ptr(std::nullptr_t)
    {
    }
    explicit device_ptr(_Tp *__p) : base(__p)
    {
    }
    template <class _Up, class = std::enable_if_t<std::is_convertible_v<_Up *, _Tp *>>>
    device_ptr(const device_ptr<_Up> &__other) : base(__other.get())
    {
    }
    device_reference<_Tp> operator*() const
    {
        return device_reference<_Tp>(*this);
    }
};
UMSIM_THRUST_POINTERS(device_ptr)

/** An untyped address, as device_malloc() returns it. */
template <> class device_ptr<void>
{
  public:
    explicit device_ptr(void *__p) : __p_(__p)
    {
    }
    template <class _Up> device_ptr(const device_ptr<_Up> &__other) : __p_(__other.get())
    {
    }
    void *get() const
    {
        return __p_;
    }
    template <class _Up> explicit operator device_ptr<_Up>() const
    {
        return device_ptr<_Up>((_Up *)__p_);
    }

  private:
    void *__p_;
};

/** An address in managed memory: algorithms run on the device, and the host reads elements directly. */
template <class _Tp>
class universal_ptr
    : public detail::pointer_like<universal_ptr<_Tp>, _Tp, _Tp &, detail::memory_space::device>
{
    using base = detail::pointer_like<universal_ptr<_Tp>, _Tp, _Tp &, detail::memory_space::device>;

  public:
    universal_ptr() = default;
    explicit universal_ptr(_Tp *__p) : base(__p)
    {
    }
    template <class _Up, class = std::enable_if_t<std::is_convertible_v<_Up *, _Tp *>>>
    universal_ptr(const universal_ptr<_Up> &__other) : base(__other.get())
    {
    }
    _Tp &operator*() const
    {
        return *this->get();
    }
    _Tp *operator->() const
    {
        return this->get();
    }
};
UMSIM_THRUST_POINTERS(universal_ptr)

/** @name Between plain pointers and Thrust's @{ */
template <class _Tp> device_ptr<_Tp> device_pointer_cast(_Tp *__p)
{
    return device_ptr<_Tp>(__p);
}
template <class _Tp> device_ptr<_Tp> device_pointer_cast(const device_ptr<_Tp> &__p)
{
    return __p;
}
template <class _Tp> _Tp *raw_pointer_cast(_Tp *__p)
{
    return __p;
}
template <class _Tp> _Tp *raw_pointer_cast(const device_ptr<_Tp> &__p)
{
    return __p.get();
}
template <class _Tp> _Tp *raw_pointer_cast(const universal_ptr<_Tp> &__p)
{
    return __p.get();
}
template <class _Tp> _Tp &raw_reference_cast(_Tp &__r)
{
    return __r;
}
template <class _Tp> _Tp &raw_reference_cast(const device_reference<_Tp> &__r)
{
    return *(&__r).get();
}
/** @} */
} // namespace thrust

#endif
