/**
 * @file counting_iterator.h
 * @brief thrust::counting_iterator: numbers, one after the other, without memory.
 */
#ifndef UMSIM_THRUST_COUNTING_ITERATOR_H
#define UMSIM_THRUST_COUNTING_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
/** Its elements are `start`, `start` + 1, ... */
template <class T, class = void, class = void, class = void>
class counting_iterator : public detail::facade<counting_iterator<T>, T, T, detail::room::anywhere>
{
  public:
    counting_iterator() = default;
    counting_iterator(T start) : value_(start)
    {
    }
    T at(detail::index i) const
    {
        return (T)(value_ + i);
    }
    void move(detail::index n)
    {
        value_ = (T)(value_ + n);
    }
    detail::index from(const counting_iterator &other) const
    {
        return (detail::index)value_ - (detail::index)other.value_;
    }

  private:
    T value_{};
};
template <class T> counting_iterator<T> make_counting_iterator(T start)
{
    return counting_iterator<T>(start);
}
} // namespace thrust

#endif
