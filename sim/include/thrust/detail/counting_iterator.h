/**
 * @file thrust/detail/counting_iterator.h
 * @brief thrust::counting_iterator: consecutive numbers, without memory.
 */
#ifndef UMSIM_THRUST_DETAIL_COUNTING_ITERATOR_H
#define UMSIM_THRUST_DETAIL_COUNTING_ITERATOR_H

#include "facade.h"

namespace thrust
{
/** Its elements are `start`, `start` + 1, ... */
template <class _Tp, class = void, class = void, class = void>
class counting_iterator
    : public detail::facade<counting_iterator<_Tp>, _Tp, _Tp, detail::memory_space::anywhere>
{
  public:
    counting_iterator() = default;
    counting_iterator(_Tp __start) : __value_(__start)
    {
    }
    _Tp at(detail::index __i) const
    {
        return (_Tp)(__value_ + __i);
    }
    void move(detail::index __n)
    {
        __value_ = (_Tp)(__value_ + __n);
    }
    detail::index from(const counting_iterator &__other) const
    {
        return (detail::index)__value_ - (detail::index)__other.__value_;
    }

  private:
    _Tp __value_{};
};
template <class _Tp> counting_iterator<_Tp> make_counting_iterator(_Tp __start)
{
    return counting_iterator<_Tp>(__start);
}
} // namespace thrust

#endif
