/**
 * @file facade.h
 * @brief The arithmetic of iterators that compute what they give.
 */
#ifndef UMSIM_THRUST_FACADE_H
#define UMSIM_THRUST_FACADE_H

#include "system.h"

namespace thrust
{
namespace detail
{

/* An iterator of which Self knows at(i), the element i places on, move(n), and from(other), the places
 * between. */
template <class Self, class Value, class Reference, room Room> class facade
{
  public:
    using value_type = Value;
    using reference = Reference;
    using difference_type = index;
    using pointer = void;
    using iterator_category = std::random_access_iterator_tag;
    static constexpr room thrust_room = Room;

    Reference operator*() const
    {
        return self().at(0);
    }
    Reference operator[](index i) const
    {
        return self().at(i);
    }
    Self &operator+=(index n)
    {
        ((Self &)*this).move(n);
        return (Self &)*this;
    }
    Self &operator-=(index n)
    {
        return *this += -n;
    }
    Self &operator++()
    {
        return *this += 1;
    }
    Self &operator--()
    {
        return *this += -1;
    }
    Self operator++(int)
    {
        const Self old = self();
        *this += 1;
        return old;
    }
    Self operator--(int)
    {
        const Self old = self();
        *this += -1;
        return old;
    }
    friend Self operator+(Self a, index n)
    {
        return a += n;
    }
    friend Self operator+(index n, Self a)
    {
        return a += n;
    }
    friend Self operator-(Self a, index n)
    {
        return a += -n;
    }
    friend index operator-(const Self &a, const Self &b)
    {
        return a.from(b);
    }
    friend bool operator==(const Self &a, const Self &b)
    {
        return a.from(b) == 0;
    }
    friend bool operator!=(const Self &a, const Self &b)
    {
        return a.from(b) != 0;
    }
    friend bool operator<(const Self &a, const Self &b)
    {
        return a.from(b) < 0;
    }
    friend bool operator>(const Self &a, const Self &b)
    {
        return a.from(b) > 0;
    }
    friend bool operator<=(const Self &a, const Self &b)
    {
        return a.from(b) <= 0;
    }
    friend bool operator>=(const Self &a, const Self &b)
    {
        return a.from(b) >= 0;
    }

  private:
    const Self &self() const
    {
        return (const Self &)*this;
    }
};

/* The room that iterators lead to together: the device's when one of them does. */
template <class... I> constexpr room room_of_all()
{
    constexpr bool there = ((room_of<I>() == room::device) || ...),
                   here = ((room_of<I>() == room::host) || ...);
    static_assert(!(there && here), "Thrust: iterators of the host and of the device in one iterator");
    return there ? room::device : here ? room::host : room::anywhere;
}
} // namespace detail
} // namespace thrust

#endif
