/**
 * @file discard_iterator.h
 * @brief thrust::discard_iterator: what is written to it is forgotten.
 */
#ifndef UMSIM_THRUST_DISCARD_ITERATOR_H
#define UMSIM_THRUST_DISCARD_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
namespace detail
{
struct forgetful {
    template <class T> const forgetful &operator=(const T &) const
    {
        return *this;
    }
};
} // namespace detail

/** For results that nobody wants. */
template <class = void>
class discard_iterator
    : public detail::facade<discard_iterator<>, detail::forgetful, detail::forgetful, detail::room::anywhere>
{
  public:
    discard_iterator(detail::index place = 0) : place_(place)
    {
    }
    detail::forgetful at(detail::index) const
    {
        return {};
    }
    void move(detail::index n)
    {
        place_ += n;
    }
    detail::index from(const discard_iterator &other) const
    {
        return place_ - other.place_;
    }

  private:
    detail::index place_;
};
inline discard_iterator<> make_discard_iterator(detail::index place = 0)
{
    return discard_iterator<>(place);
}
} // namespace thrust

#endif
