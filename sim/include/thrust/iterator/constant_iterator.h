/**
 * @file constant_iterator.h
 * @brief thrust::constant_iterator: one value, again and again.
 */
#ifndef UMSIM_THRUST_CONSTANT_ITERATOR_H
#define UMSIM_THRUST_CONSTANT_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
/** All of its elements are `value`. */
template <class T, class = void, class = void>
class constant_iterator : public detail::facade<constant_iterator<T>, T, T, detail::room::anywhere>
{
  public:
    constant_iterator() = default;
    constant_iterator(T value, detail::index place = 0) : value_(value), place_(place)
    {
    }
    T at(detail::index) const
    {
        return value_;
    }
    void move(detail::index n)
    {
        place_ += n;
    }
    detail::index from(const constant_iterator &other) const
    {
        return place_ - other.place_;
    }

  private:
    T value_{};
    detail::index place_ = 0;
};
template <class T> constant_iterator<T> make_constant_iterator(T value)
{
    return constant_iterator<T>(value);
}
} // namespace thrust

#endif
