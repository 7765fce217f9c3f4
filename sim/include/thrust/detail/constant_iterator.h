/**
 * @file thrust/detail/constant_iterator.h
 * @brief thrust::constant_iterator: one value, repeated.
 */
#ifndef UMSIM_THRUST_DETAIL_CONSTANT_ITERATOR_H
#define UMSIM_THRUST_DETAIL_CONSTANT_ITERATOR_H

#include "facade.h"

namespace thrust
{
/** All of its elements are `value`. */
template <class _Tp, class = void, class = void>
class constant_iterator
    : public detail::facade<constant_iterator<_Tp>, _Tp, _Tp, detail::memory_space::anywhere>
{
  public:
    constant_iterator() = default;
    constant_iterator(_Tp __value, detail::index __place = 0) : __value_(__value), __place_(__place)
    {
    }
    _Tp at(detail::index) const
    {
        return __value_;
    }
    void move(detail::index __n)
    {
        __place_ += __n;
    }
    detail::index from(const constant_iterator &__other) const
    {
        return __place_ - __other.__place_;
    }

  private:
    _Tp __value_{};
    detail::index __place_ = 0;
};
template <class _Tp> constant_iterator<_Tp> make_constant_iterator(_Tp __value)
{
    return constant_iterator<_Tp>(__value);
}
} // namespace thrust

#endif
