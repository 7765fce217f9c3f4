/**
 * @file device_ptr.h
 * @brief device_ptr: an address in device memory. What it points at is a device_reference, which the host
 * reads and writes by cudaMemcpy, a transfer each time.
 */
#ifndef UMSIM_THRUST_DEVICE_PTR_H
#define UMSIM_THRUST_DEVICE_PTR_H

#include "detail/system.h"

#include <ostream>

namespace thrust
{
template <class T> class device_ptr;

/** An element in device memory. @throws thrust::system_error when a transfer fails */
template <class T> class device_reference
{
  public:
    using value_type = std::remove_cv_t<T>;
    using pointer = device_ptr<T>;

    explicit device_reference(const device_ptr<T> &at) : p_(at.get())
    {
    }
    device_reference(const device_reference &) = default;
    operator value_type() const
    {
        if (umsim_in_kernel())
            return *p_;
        alignas(T) unsigned char bytes[sizeof(T)];
        detail::check(cudaMemcpy(bytes, p_, sizeof(T), cudaMemcpyDeviceToHost),
                      "reading an element of the device");
        return *(value_type *)bytes;
    }
    const device_reference &operator=(const value_type &value) const
    {
        if (umsim_in_kernel())
            *p_ = value;
        else
            detail::check(cudaMemcpy(p_, &value, sizeof(T), cudaMemcpyHostToDevice),
                          "writing an element of the device");
        return *this;
    }
    const device_reference &operator=(const device_reference &other) const
    {
        return *this = (value_type)other;
    }
    device_reference &operator=(const device_reference &other)
    {
        static_cast<const device_reference &>(*this) = (value_type)other;
        return *this;
    }
    template <class U> const device_reference &operator=(const device_reference<U> &other) const
    {
        return *this = (value_type)(typename device_reference<U>::value_type)other;
    }
    device_ptr<T> operator&() const
    {
        return device_ptr<T>(p_);
    }
#define UMSIM_THRUST_ASSIGNS(op)                                                                             \
    template <class U> const device_reference &operator op##=(const U &value) const                          \
    {                                                                                                        \
        return *this = (value_type)((value_type) * this op value);                                           \
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
        const value_type old = *this;
        *this += 1;
        return old;
    }
    value_type operator--(int) const
    {
        const value_type old = *this;
        *this -= 1;
        return old;
    }
    friend void swap(const device_reference &a, const device_reference &b)
    {
        const value_type old = a;
        a = b;
        b = old;
    }
    friend std::ostream &operator<<(std::ostream &out, const device_reference &r)
    {
        return out << (value_type)r;
    }

  private:
    T *p_;
};

namespace detail
{
/* The arithmetic of pointers. Self has a constructor from T *. */
template <class Self, class T, class Reference, room Room> class pointer_like
{
  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = Self;
    using reference = Reference;
    using raw_pointer = T *;
    using iterator_category = std::random_access_iterator_tag;
    static constexpr room thrust_room = Room;

    pointer_like() = default;
    explicit pointer_like(T *p) : p_(p)
    {
    }
    T *get() const
    {
        return p_;
    }
    T *thrust_raw() const
    {
        return p_;
    }
    explicit operator bool() const
    {
        return p_ != nullptr;
    }
    Reference operator[](difference_type i) const
    {
        return *Self(p_ + i);
    }
    Self &operator+=(difference_type n)
    {
        p_ += n;
        return (Self &)*this;
    }
    Self &operator-=(difference_type n)
    {
        p_ -= n;
        return (Self &)*this;
    }
    Self &operator++()
    {
        return *this += 1;
    }
    Self &operator--()
    {
        return *this -= 1;
    }
    Self operator++(int)
    {
        return Self(p_++);
    }
    Self operator--(int)
    {
        return Self(p_--);
    }
    friend Self operator+(const Self &a, difference_type n)
    {
        return Self(a.get() + n);
    }
    friend Self operator+(difference_type n, const Self &a)
    {
        return Self(a.get() + n);
    }
    friend Self operator-(const Self &a, difference_type n)
    {
        return Self(a.get() - n);
    }

  private:
    T *p_ = nullptr;
};

#define UMSIM_THRUST_COMPARES(name, op)                                                                      \
    template <class T, class U> bool operator op(const name<T> &a, const name<U> &b)                         \
    {                                                                                                        \
        return a.get() op b.get();                                                                           \
    }
#define UMSIM_THRUST_POINTERS(name)                                                                          \
    UMSIM_THRUST_COMPARES(name, ==)                                                                          \
    UMSIM_THRUST_COMPARES(name, !=)                                                                          \
    UMSIM_THRUST_COMPARES(name, <)                                                                           \
    UMSIM_THRUST_COMPARES(name, >)                                                                           \
    UMSIM_THRUST_COMPARES(name, <=)                                                                          \
    UMSIM_THRUST_COMPARES(name, >=)                                                                          \
    template <class T, class U> std::ptrdiff_t operator-(const name<T> &a, const name<U> &b)                 \
    {                                                                                                        \
        return a.get() - b.get();                                                                            \
    }
} // namespace detail

/** An address in device memory, of cudaMalloc() for instance. */
template <class T>
class device_ptr : public detail::pointer_like<device_ptr<T>, T, device_reference<T>, detail::room::device>
{
    using base = detail::pointer_like<device_ptr<T>, T, device_reference<T>, detail::room::device>;

  public:
    device_ptr() = default;
    device_ptr(std::nullptr_t)
    {
    }
    explicit device_ptr(T *p) : base(p)
    {
    }
    template <class U, class = std::enable_if_t<std::is_convertible_v<U *, T *>>>
    device_ptr(const device_ptr<U> &other) : base(other.get())
    {
    }
    device_reference<T> operator*() const
    {
        return device_reference<T>(*this);
    }
};
UMSIM_THRUST_POINTERS(device_ptr)

/** An address of nothing in particular, as device_malloc() gives it. */
template <> class device_ptr<void>
{
  public:
    explicit device_ptr(void *p) : p_(p)
    {
    }
    template <class U> device_ptr(const device_ptr<U> &other) : p_(other.get())
    {
    }
    void *get() const
    {
        return p_;
    }
    template <class U> explicit operator device_ptr<U>() const
    {
        return device_ptr<U>((U *)p_);
    }

  private:
    void *p_;
};

/** An address in managed memory: algorithms run on the device, and the host reads elements as they are. */
template <class T>
class universal_ptr : public detail::pointer_like<universal_ptr<T>, T, T &, detail::room::device>
{
    using base = detail::pointer_like<universal_ptr<T>, T, T &, detail::room::device>;

  public:
    universal_ptr() = default;
    explicit universal_ptr(T *p) : base(p)
    {
    }
    template <class U, class = std::enable_if_t<std::is_convertible_v<U *, T *>>>
    universal_ptr(const universal_ptr<U> &other) : base(other.get())
    {
    }
    T &operator*() const
    {
        return *this->get();
    }
    T *operator->() const
    {
        return this->get();
    }
};
UMSIM_THRUST_POINTERS(universal_ptr)

/** @name Between plain pointers and Thrust's @{ */
template <class T> device_ptr<T> device_pointer_cast(T *p)
{
    return device_ptr<T>(p);
}
template <class T> device_ptr<T> device_pointer_cast(const device_ptr<T> &p)
{
    return p;
}
template <class T> T *raw_pointer_cast(T *p)
{
    return p;
}
template <class T> T *raw_pointer_cast(const device_ptr<T> &p)
{
    return p.get();
}
template <class T> T *raw_pointer_cast(const universal_ptr<T> &p)
{
    return p.get();
}
template <class T> T &raw_reference_cast(T &r)
{
    return r;
}
template <class T> T &raw_reference_cast(const device_reference<T> &r)
{
    return *(&r).get();
}
/** @} */
} // namespace thrust

#endif
