/**
 * @file offset_iterator.h
 * @brief thrust::offset_iterator: another iterator, some elements further on.
 */
#ifndef UMSIM_THRUST_OFFSET_ITERATOR_H
#define UMSIM_THRUST_OFFSET_ITERATOR_H

#include "../detail/wrapped.h"

namespace thrust
{
namespace detail
{
/* A number, or an iterator to one that only the device may be able to read. */
template <class _Offset> index offset_value(const _Offset &__offset)
{
    if constexpr (std::is_integral_v<_Offset>)
        return __offset;
    else
        return *raw(__offset);
}
} // namespace detail

/** `__offset` is a number, or an iterator to one, which is read with each element. */
template <class _Ip, class _Offset = typename std::iterator_traits<_Ip>::difference_type>
class offset_iterator : public detail::wrapped<offset_iterator<_Ip, _Offset>, _Ip, detail::value_of<_Ip>,
                                               typename std::iterator_traits<_Ip>::reference>
{
  public:
    offset_iterator(_Ip __base, _Offset __offset) : offset_iterator::wrapped(__base), __offset_(__offset)
    {
    }
    const _Offset &offset() const
    {
        return __offset_;
    }
    /** @cond internal */
    typename std::iterator_traits<_Ip>::reference at(detail::index __i) const
    {
        return this->__base_[__i + detail::offset_value(__offset_)];
    }
    auto thrust_raw() const
    {
        const auto __behind = detail::raw(this->__base_);
        return offset_iterator<std::decay_t<decltype(__behind)>, _Offset>(__behind, __offset_);
    }
    /** @endcond */

  private:
    _Offset __offset_;
};
template <class _Ip, class _Offset>
offset_iterator<_Ip, _Offset> make_offset_iterator(_Ip __base, _Offset __offset)
{
    return offset_iterator<_Ip, _Offset>(__base, __offset);
}
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
