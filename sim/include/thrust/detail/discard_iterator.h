/**
 * @file thrust/detail/discard_iterator.h
 * @brief thrust::discard_iterator: discards whatever is written to it.
 */
#ifndef UMSIM_THRUST_DETAIL_DISCARD_ITERATOR_H
#define UMSIM_THRUST_DETAIL_DISCARD_ITERATOR_H

#include "facade.h"

namespace thrust
{
namespace detail
{
struct forgetful {
    template <class _Tp> const forgetful &operator=(const _Tp &) const
    {
        return *this;
    }
};
} // namespace detail

/** For results that are not needed. */
template <class = void>
class discard_iterator : public detail::facade<discard_iterator<>, detail::forgetful, detail::forgetful,
                                               detail::memory_space::anywhere>
{
  public:
    discard_iterator(detail::index __place = 0) : __place_(__place)
    {
    }
    detail::forgetful at(detail::index) const
    {
        return {};
    }
    void move(detail::index __n)
    {
        __place_ += __n;
    }
    detail::index from(const discard_iterator &__other) const
    {
        return __place_ - __other.__place_;
    }

  private:
    detail::index __place_;
};
inline discard_iterator<> make_discard_iterator(detail::index __place = 0)
{
    return discard_iterator<>(__place);
}
} // namespace thrust

#endif
