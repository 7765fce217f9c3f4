/**
 * @file iterator_facade.h
 * @brief thrust::iterator_facade: an iterator of a program's own, made from a few functions.
 */
#ifndef UMSIM_THRUST_ITERATOR_FACADE_H
#define UMSIM_THRUST_ITERATOR_FACADE_H

#include "system.h"

namespace thrust
{
/** @name How an iterator moves: only random access has a meaning here @{ */
struct incrementable_traversal_tag {
};
struct single_pass_traversal_tag : incrementable_traversal_tag {
};
struct forward_traversal_tag : single_pass_traversal_tag {
};
struct bidirectional_traversal_tag : forward_traversal_tag {
};
struct random_access_traversal_tag : bidirectional_traversal_tag {
};
/** @} */
/** @name Whose memory an iterator refers to @{ */
struct any_system_tag {
};
using host_system_tag = host_execution;
using device_system_tag = device_execution;
/** @} */
/** The base decides. */
struct use_default {
};

namespace detail
{
/* The space of a system's tag; those of policies say it by their kind. */
template <class _System> constexpr memory_space space_of()
{
    if constexpr (!is_policy<_System>::value)
        return memory_space::anywhere;
    else
        return _System::system::device ? memory_space::device : memory_space::host;
}
} // namespace detail

/** The friend of an iterator whose functions are private: dereference(), equal(), increment(), decrement(),
 * advance(), distance_to(). */
class iterator_core_access
{
  public:
    template <class _Ip> static decltype(auto) dereference(const _Ip &__i)
    {
        return __i.dereference();
    }
    template <class _Ip, class _Jp> static bool equal(const _Ip &__i, const _Jp &__j)
    {
        return __i.equal(__j);
    }
    template <class _Ip> static void increment(_Ip &__i)
    {
        __i.increment();
    }
    template <class _Ip> static void decrement(_Ip &__i)
    {
        __i.decrement();
    }
    template <class _Ip, class _Np> static void advance(_Ip &__i, _Np __n)
    {
        __i.advance(__n);
    }
    template <class _Ip, class _Jp> static auto distance(const _Ip &__from, const _Jp &__to)
    {
        return __from.distance_to(__to);
    }
};

/** The operators of an iterator `_Self`, made from its functions (iterator_core_access). */
template <class _Self, class _Value, class _System, class _Traversal, class _Reference,
          class _Difference = std::ptrdiff_t>
class iterator_facade
{
    using access = iterator_core_access;

  public:
    using value_type = std::remove_cv_t<_Value>;
    using reference = _Reference;
    using difference_type = _Difference;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag;
    static constexpr detail::memory_space thrust_memory_space = detail::space_of<_System>();

    reference operator*() const
    {
        return access::dereference(self());
    }
    reference operator[](difference_type __n) const
    {
        return *(self() + __n);
    }
    _Self &operator++()
    {
        access::increment(self());
        return self();
    }
    _Self &operator--()
    {
        access::decrement(self());
        return self();
    }
    _Self operator++(int)
    {
        const _Self __old = self();
        ++*this;
        return __old;
    }
    _Self operator--(int)
    {
        const _Self __old = self();
        --*this;
        return __old;
    }
    _Self &operator+=(difference_type __n)
    {
        access::advance(self(), __n);
        return self();
    }
    _Self &operator-=(difference_type __n)
    {
        return *this += -__n;
    }
    friend _Self operator+(const _Self &__i, difference_type __n)
    {
        _Self __moved(__i);
        __moved += __n;
        return __moved;
    }
    friend _Self operator+(difference_type __n, const _Self &__i)
    {
        return __i + __n;
    }
    friend _Self operator-(const _Self &__i, difference_type __n)
    {
        return __i + -__n;
    }
    friend difference_type operator-(const _Self &__a, const _Self &__b)
    {
        return access::distance(__b, __a);
    }
    friend bool operator==(const _Self &__a, const _Self &__b)
    {
        return access::equal(__a, __b);
    }
    friend bool operator!=(const _Self &__a, const _Self &__b)
    {
        return !access::equal(__a, __b);
    }
    friend bool operator<(const _Self &__a, const _Self &__b)
    {
        return __a - __b < 0;
    }
    friend bool operator>(const _Self &__a, const _Self &__b)
    {
        return __a - __b > 0;
    }
    friend bool operator<=(const _Self &__a, const _Self &__b)
    {
        return __a - __b <= 0;
    }
    friend bool operator>=(const _Self &__a, const _Self &__b)
    {
        return __a - __b >= 0;
    }

  private:
    const _Self &self() const
    {
        return static_cast<const _Self &>(*this);
    }
    _Self &self()
    {
        return static_cast<_Self &>(*this);
    }
};
} // namespace thrust

#endif
