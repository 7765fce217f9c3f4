/**
 * @file facade.h
 * @brief The arithmetic of iterators that compute their elements.
 */
#ifndef UMSIM_THRUST_FACADE_H
#define UMSIM_THRUST_FACADE_H

#include "system.h"

namespace thrust
{
namespace detail
{

/* An iterator whose Self has at(i), the element i places further on, move(n), and from(other), the distance.
 */
template <class _Self, class _Value, class _Reference, memory_space _Space> class facade
{
  public:
    using value_type = _Value;
    using reference = _Reference;
    using difference_type = index;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag;
    static constexpr memory_space thrust_memory_space = _Space;

    _Reference operator*() const
    {
        return self().at(0);
    }
    _Reference operator[](index __i) const
    {
        return self().at(__i);
    }
    _Self &operator+=(index __n)
    {
        ((_Self &)*this).move(__n);
        return (_Self &)*this;
    }
    _Self &operator-=(index __n)
    {
        return *this += -__n;
    }
    _Self &operator++()
    {
        return *this += 1;
    }
    _Self &operator--()
    {
        return *this += -1;
    }
    _Self operator++(int)
    {
        const _Self __old = self();
        *this += 1;
        return __old;
    }
    _Self operator--(int)
    {
        const _Self __old = self();
        *this += -1;
        return __old;
    }
    friend _Self operator+(_Self __a, index __n)
    {
        return __a += __n;
    }
    friend _Self operator+(index __n, _Self __a)
    {
        return __a += __n;
    }
    friend _Self operator-(_Self __a, index __n)
    {
        return __a += -__n;
    }
    friend index operator-(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b);
    }
    friend bool operator==(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b) == 0;
    }
    friend bool operator!=(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b) != 0;
    }
    friend bool operator<(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b) < 0;
    }
    friend bool operator>(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b) > 0;
    }
    friend bool operator<=(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b) <= 0;
    }
    friend bool operator>=(const _Self &__a, const _Self &__b)
    {
        return __a.from(__b) >= 0;
    }

  private:
    const _Self &self() const
    {
        return (const _Self &)*this;
    }
};

/* The common memory space of several iterators: the device's if one of them refers to the device. */
template <class... _Ip> constexpr memory_space memory_space_of_all()
{
    constexpr bool __there = ((memory_space_of<_Ip>() == memory_space::device) || ...),
                   __here = ((memory_space_of<_Ip>() == memory_space::host) || ...);
    static_assert(!(__there && __here), "Thrust: iterators of the host and of the device in one iterator");
    return __there ? memory_space::device : __here ? memory_space::host : memory_space::anywhere;
}
} // namespace detail
} // namespace thrust

#endif
