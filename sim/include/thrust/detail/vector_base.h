/**
 * @file vector_base.h
 * @brief What host_vector, device_vector and universal_vector share: everything except where the elements
 * are.
 */
#ifndef UMSIM_THRUST_VECTOR_BASE_H
#define UMSIM_THRUST_VECTOR_BASE_H

#include "../device_allocator.h"
#include "transforming.h"

#include <initializer_list>
#include <memory>

namespace thrust
{
namespace detail
{

/* Where a vector's elements are: `system` constructs them, `pointer` points to them, get() and put() are for
 * bytes. */
template <class _Alloc> struct without_allocator {
    using allocator = _Alloc;
    without_allocator() = default;
    explicit without_allocator(const _Alloc &)
    {
    }
    _Alloc get_allocator() const
    {
        return _Alloc();
    }
};
template <class _Tp> struct host_space : without_allocator<std::allocator<_Tp>> {
    using without_allocator<std::allocator<_Tp>>::without_allocator;
    using system = on_host;
    using pointer = _Tp *;
    using const_pointer = const _Tp *;
    static void *get(std::size_t __bytes)
    {
        return ::operator new(__bytes);
    }
    static void put(void *__p, std::size_t)
    {
        ::operator delete(__p);
    }
};
template <class _Tp> struct device_space : without_allocator<device_allocator<_Tp>> {
    using without_allocator<device_allocator<_Tp>>::without_allocator;
    using system = on_device;
    using pointer = device_ptr<_Tp>;
    using const_pointer = device_ptr<const _Tp>;
    static void *get(std::size_t __bytes)
    {
        return allocate(on_device{}, __bytes);
    }
    static void put(void *__p, std::size_t)
    {
        cudaFree(__p);
    }
};
template <class _Tp> struct universal_space : without_allocator<universal_allocator<_Tp>> {
    using without_allocator<universal_allocator<_Tp>>::without_allocator;
    using system = on_device;
    using pointer = universal_ptr<_Tp>;
    using const_pointer = universal_ptr<const _Tp>;
    static void *get(std::size_t __bytes)
    {
        return universal_allocator<unsigned char>().allocate(__bytes).get();
    }
    static void put(void *__p, std::size_t)
    {
        cudaFree(__p);
    }
};

/* The same with memory of an allocator of the program's. */
template <class _Tp, class _Alloc, class _Space> struct allocator_space : _Space {
    using allocator = _Alloc;
    allocator_space() = default;
    explicit allocator_space(const _Alloc &__alloc) : __alloc_(__alloc)
    {
    }
    _Alloc get_allocator() const
    {
        return __alloc_;
    }
    void *get(std::size_t __bytes)
    {
        return raw_pointer_cast(__alloc_.allocate(__bytes / sizeof(_Tp)));
    }
    void put(void *__p, std::size_t __bytes)
    {
        using __pointer = decltype(__alloc_.allocate(1));
        __alloc_.deallocate(__pointer((_Tp *)__p), __bytes / sizeof(_Tp));
    }

  private:
    _Alloc __alloc_;
};
template <class _Tp, class _Alloc, class _Space>
using space_for = std::conditional_t<std::is_same_v<_Alloc, typename _Space::allocator>, _Space,
                                     allocator_space<_Tp, _Alloc, _Space>>;

template <class _Tp, class _Space> class vector_base
{
  public:
    using value_type = _Tp;
    using allocator_type = typename _Space::allocator;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = typename _Space::pointer;
    using const_pointer = typename _Space::const_pointer;
    using iterator = pointer;
    using const_iterator = const_pointer;
    using reference = decltype(*std::declval<pointer>());
    using const_reference = decltype(*std::declval<const_pointer>());
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;

    vector_base() = default;
    explicit vector_base(const allocator_type &__alloc) : __space_(__alloc)
    {
    }
    explicit vector_base(size_type __n)
    {
        resize(__n);
    }
    vector_base(size_type __n, const allocator_type &__alloc) : __space_(__alloc)
    {
        resize(__n);
    }
    vector_base(size_type __n, const _Tp &__value)
    {
        resize(__n, __value);
    }
    vector_base(size_type __n, const _Tp &__value, const allocator_type &__alloc) : __space_(__alloc)
    {
        resize(__n, __value);
    }
    template <class _Ip, class = typename std::iterator_traits<_Ip>::iterator_category>
    vector_base(_Ip __first, _Ip __last)
    {
        assign(__first, __last);
    }
    template <class _Ip, class = typename std::iterator_traits<_Ip>::iterator_category>
    vector_base(_Ip __first, _Ip __last, const allocator_type &__alloc) : __space_(__alloc)
    {
        assign(__first, __last);
    }
    vector_base(std::initializer_list<_Tp> __list)
    {
        assign(__list.begin(), __list.end());
    }
    vector_base(const vector_base &__other) : __space_(__other.__space_)
    {
        assign(__other.begin(), __other.end());
    }
    vector_base(vector_base &&__other) noexcept : __space_(__other.__space_)
    {
        swap(__other);
    }
    template <class _Up, class _Other> vector_base(const vector_base<_Up, _Other> &__other)
    {
        assign(__other.begin(), __other.end());
    }
    template <class _Up, class _Ap> vector_base(const std::vector<_Up, _Ap> &__other)
    {
        assign(__other.begin(), __other.end());
    }
    ~vector_base()
    {
        destroy(0, __size_);
        put();
    }
    allocator_type get_allocator() const
    {
        return __space_.get_allocator();
    }
    vector_base &operator=(const vector_base &__other)
    {
        if (this != &__other)
            assign(__other.begin(), __other.end());
        return *this;
    }
    vector_base &operator=(vector_base &&__other) noexcept
    {
        swap(__other);
        return *this;
    }
    template <class _Up, class _Other> vector_base &operator=(const vector_base<_Up, _Other> &__other)
    {
        assign(__other.begin(), __other.end());
        return *this;
    }
    template <class _Up, class _Ap> vector_base &operator=(const std::vector<_Up, _Ap> &__other)
    {
        assign(__other.begin(), __other.end());
        return *this;
    }

    iterator begin()
    {
        return iterator(__p_);
    }
    iterator end()
    {
        return iterator(__p_ + __size_);
    }
    const_iterator begin() const
    {
        return const_iterator(__p_);
    }
    const_iterator end() const
    {
        return const_iterator(__p_ + __size_);
    }
    const_iterator cbegin() const
    {
        return begin();
    }
    const_iterator cend() const
    {
        return end();
    }
    reverse_iterator rbegin()
    {
        return reverse_iterator(end());
    }
    reverse_iterator rend()
    {
        return reverse_iterator(begin());
    }
    const_reverse_iterator rbegin() const
    {
        return const_reverse_iterator(end());
    }
    const_reverse_iterator rend() const
    {
        return const_reverse_iterator(begin());
    }
    pointer data()
    {
        return pointer(__p_);
    }
    const_pointer data() const
    {
        return const_pointer(__p_);
    }
    reference operator[](size_type __i)
    {
        return *iterator(__p_ + __i);
    }
    const_reference operator[](size_type __i) const
    {
        return *const_iterator(__p_ + __i);
    }
    reference front()
    {
        return (*this)[0];
    }
    const_reference front() const
    {
        return (*this)[0];
    }
    reference back()
    {
        return (*this)[__size_ - 1];
    }
    const_reference back() const
    {
        return (*this)[__size_ - 1];
    }
    size_type size() const
    {
        return __size_;
    }
    size_type capacity() const
    {
        return __capacity_;
    }
    size_type max_size() const
    {
        return PTRDIFF_MAX / sizeof(_Tp);
    }
    bool empty() const
    {
        return __size_ == 0;
    }

    void reserve(size_type __n)
    {
        if (__n > __capacity_)
            move_to(__n);
    }
    void shrink_to_fit()
    {
        if (__size_ < __capacity_)
            move_to(__size_);
    }
    void resize(size_type __n)
    {
        grow(__n);
        _Tp *const __p = __p_ + __size_;
        if (__n > __size_)
            each(typename _Space::system{}, __n - __size_,
                 [=](index __i) { ::new ((void *)(__p + __i)) _Tp(); });
        cut(__n);
    }
    void resize(size_type __n, const _Tp &__value)
    {
        const _Tp __v = __value;
        grow(__n);
        _Tp *const __p = __p_ + __size_;
        if (__n > __size_)
            each(typename _Space::system{}, __n - __size_,
                 [=](index __i) { ::new ((void *)(__p + __i)) _Tp(__v); });
        cut(__n);
    }
    void clear()
    {
        cut(0);
    }
    void push_back(const _Tp &__value)
    {
        resize(__size_ + 1, __value);
    }
    template <class... _Ap> void emplace_back(_Ap &&...__a)
    {
        push_back(_Tp(std::forward<_Ap>(__a)...));
    }
    void pop_back()
    {
        cut(__size_ - 1);
    }
    template <class _Ip, class = typename std::iterator_traits<_Ip>::iterator_category>
    void assign(_Ip __first, _Ip __last)
    {
        const size_type __n = std::distance(__first, __last);
        if (__n > __capacity_ || (__n > __size_ && !std::is_trivially_default_constructible_v<_Tp>))
            cut(0), resize(__n);
        cut(__n);
        thrust::copy(__first, __last, begin());
    }
    void assign(size_type __n, const _Tp &__value)
    {
        const _Tp __v = __value;
        cut(0);
        resize(__n, __v);
    }
    iterator erase(const_iterator __first, const_iterator __last)
    {
        const difference_type __at = __first - const_iterator(__p_), __end = __last - const_iterator(__p_);
        const vector_base __rest(const_iterator(__p_ + __end), const_iterator(__p_ + __size_));
        cut(__at + __rest.size());
        thrust::copy(__rest.begin(), __rest.end(), iterator(__p_ + __at));
        return iterator(__p_ + __at);
    }
    iterator erase(const_iterator __at)
    {
        return erase(__at, __at + 1);
    }
    template <class _Ip, class = typename std::iterator_traits<_Ip>::iterator_category>
    iterator insert(const_iterator __where, _Ip __first, _Ip __last)
    {
        const difference_type __at = __where - const_iterator(__p_);
        const vector_base __rest(__where, const_iterator(__p_ + __size_)), __added(__first, __last);
        resize(__size_ + __added.size());
        thrust::copy(__added.begin(), __added.end(), iterator(__p_ + __at));
        thrust::copy(__rest.begin(), __rest.end(), iterator(__p_ + __at + __added.size()));
        return iterator(__p_ + __at);
    }
    iterator insert(const_iterator __where, size_type __n, const _Tp &__value)
    {
        const vector_base __added(__n, __value);
        return insert(__where, __added.begin(), __added.end());
    }
    iterator insert(const_iterator __where, const _Tp &__value)
    {
        return insert(__where, 1, __value);
    }
    void swap(vector_base &__other) noexcept
    {
        std::swap(__space_, __other.__space_);
        std::swap(__p_, __other.__p_);
        std::swap(__size_, __other.__size_);
        std::swap(__capacity_, __other.__capacity_);
    }
    friend void swap(vector_base &__a, vector_base &__b) noexcept
    {
        __a.swap(__b);
    }

  private:
    void put()
    {
        if (__p_)
            __space_.put(__p_, __capacity_ * sizeof(_Tp));
    }
    void destroy(size_type __from, size_type __to)
    {
        (void)__from, (void)__to;
        if constexpr (std::is_trivially_destructible_v<_Tp>)
            return;
        else if constexpr (_Space::system::device) {
            _Tp *const __p = __p_ + __from;
            try {
                each(typename _Space::system{}, __to - __from, [=](index __i) { __p[__i].~_Tp(); });
            } catch (const system_error &) { /* the program's end: there is no device any more */
            }
        } else
            std::destroy(__p_ + __from, __p_ + __to);
    }
    void cut(size_type __n)
    {
        if (__n < __size_)
            destroy(__n, __size_);
        __size_ = __n;
    }
    void grow(size_type __n)
    {
        if (__n > __capacity_)
            move_to(__size_ == 0 ? __n : std::max(__n, 2 * __capacity_));
    }
    void move_to(size_type __n)
    {
        _Tp *const __to = __n == 0 ? nullptr : (_Tp *)__space_.get(__n * sizeof(_Tp)), *const __from = __p_;
        if (__size_ != 0)
            each(typename _Space::system{}, __size_,
                 [=](index __i) { ::new ((void *)(__to + __i)) _Tp(std::move(__from[__i])); });
        destroy(0, __size_);
        put();
        __p_ = __to;
        __capacity_ = __n;
    }

    _Space __space_;
    _Tp *__p_ = nullptr;
    size_type __size_ = 0, __capacity_ = 0;
};

template <class _Vp> decltype(auto) at_host(const _Vp &__v)
{
    using _Tp = typename _Vp::value_type;
    if constexpr (memory_space_of<typename _Vp::const_iterator>() == memory_space::device &&
                  !std::is_same_v<typename _Vp::reference, _Tp &>)
        return vector_base<_Tp, host_space<_Tp>>(__v);
    else
        return (__v);
}
template <class _Vp, class _Wp> bool equal_vectors(const _Vp &__v, const _Wp &__w)
{
    if (__v.size() != __w.size())
        return false;
    const auto &__a = at_host(__v);
    const auto &__b = at_host(__w);
    return std::equal(__a.begin(), __a.end(), __b.begin());
}
template <class _Tp, class _Sp, class _Up, class _Rp>
bool operator==(const vector_base<_Tp, _Sp> &__a, const vector_base<_Up, _Rp> &__b)
{
    return equal_vectors(__a, __b);
}
template <class _Tp, class _Sp, class _Up, class _Rp>
bool operator!=(const vector_base<_Tp, _Sp> &__a, const vector_base<_Up, _Rp> &__b)
{
    return !equal_vectors(__a, __b);
}
template <class _Tp, class _Sp, class _Up>
bool operator==(const vector_base<_Tp, _Sp> &__a, const std::vector<_Up> &__b)
{
    return equal_vectors(__a, __b);
}
template <class _Tp, class _Sp, class _Up>
bool operator==(const std::vector<_Up> &__a, const vector_base<_Tp, _Sp> &__b)
{
    return equal_vectors(__a, __b);
}
} // namespace detail
} // namespace thrust

/* A vector of that name, with the constructors of the base, and copies by assignment. */
#define UMSIM_THRUST_VECTOR(name, space)                                                                     \
    template <class _Tp, class _Alloc = typename detail::space<_Tp>::allocator>                              \
    class name : public detail::vector_base<_Tp, detail::space_for<_Tp, _Alloc, detail::space<_Tp>>>         \
    {                                                                                                        \
        using base = detail::vector_base<_Tp, detail::space_for<_Tp, _Alloc, detail::space<_Tp>>>;           \
                                                                                                             \
      public:                                                                                                \
        using base::base;                                                                                    \
        using base::operator=;                                                                               \
        name() = default;                                                                                    \
    }

#endif
