/**
 * @file reverse_iterator.h
 * @brief thrust::reverse_iterator: from the last element to the first.
 */
#ifndef UMSIM_THRUST_REVERSE_ITERATOR_H
#define UMSIM_THRUST_REVERSE_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
/** Begins before `end`. */
template <class I>
class reverse_iterator
    : public detail::facade<reverse_iterator<I>, detail::value_of<I>,
                            typename std::iterator_traits<I>::reference, detail::room_of<I>()>
{
  public:
    reverse_iterator() = default;
    explicit reverse_iterator(I end) : end_(end)
    {
    }
    typename std::iterator_traits<I>::reference at(detail::index i) const
    {
        return end_[-1 - i];
    }
    void move(detail::index n)
    {
        end_ -= n;
    }
    detail::index from(const reverse_iterator &other) const
    {
        return other.end_ - end_;
    }
    const I &base() const
    {
        return end_;
    }
    auto thrust_raw() const
    {
        const auto behind = detail::raw(end_);
        return reverse_iterator<std::decay_t<decltype(behind)>>(behind);
    }

  private:
    I end_;
};
template <class I> reverse_iterator<I> make_reverse_iterator(I end)
{
    return reverse_iterator<I>(end);
}
} // namespace thrust

#endif
