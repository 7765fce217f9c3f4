/**
 * @file thrust/detail/reverse_iterator.h
 * @brief thrust::reverse_iterator: from the last element to the first.
 */
#ifndef UMSIM_THRUST_DETAIL_REVERSE_ITERATOR_H
#define UMSIM_THRUST_DETAIL_REVERSE_ITERATOR_H

#include "facade.h"

namespace thrust
{
/** Begins at the element before `end`. */
template <class _Ip>
class reverse_iterator
    : public detail::facade<reverse_iterator<_Ip>, detail::value_of<_Ip>,
                            typename std::iterator_traits<_Ip>::reference, detail::memory_space_of<_Ip>()>
{
  public:
    static constexpr bool thrust_goes_back = true;
    reverse_iterator() = default;
    explicit reverse_iterator(_Ip __end) : __end_(__end)
    {
    }
    typename std::iterator_traits<_Ip>::reference at(detail::index __i) const
    {
        return __end_[-1 - __i];
    }
    void move(detail::index __n)
    {
        __end_ -= __n;
    }
    detail::index from(const reverse_iterator &__other) const
    {
        return __other.__end_ - __end_;
    }
    const _Ip &base() const
    {
        return __end_;
    }
    auto thrust_raw() const
    {
        const auto __behind = detail::raw(__end_);
        return reverse_iterator<std::decay_t<decltype(__behind)>>(__behind);
    }

  private:
    _Ip __end_;
};
template <class _Ip> reverse_iterator<_Ip> make_reverse_iterator(_Ip __end)
{
    return reverse_iterator<_Ip>(__end);
}
} // namespace thrust

#endif
