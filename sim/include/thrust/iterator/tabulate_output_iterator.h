/**
 * @file tabulate_output_iterator.h
 * @brief thrust::tabulate_output_iterator: calls a function with the place and the value of what is written.
 */
#ifndef UMSIM_THRUST_TABULATE_OUTPUT_ITERATOR_H
#define UMSIM_THRUST_TABULATE_OUTPUT_ITERATOR_H

#include "../detail/facade.h"

namespace thrust
{
namespace detail
{
template <class _Fp> class told_of
{
    index __place_;
    _Fp __f_;

  public:
    told_of(index __place, _Fp __f) : __place_(__place), __f_(__f)
    {
    }
    template <class _Tp> const told_of &operator=(const _Tp &__value) const
    {
        _Fp __f = __f_;
        __f(__place_, __value);
        return *this;
    }
};
} // namespace detail

/** Writing `value` to place i of it calls f(start + i, value). */
template <class _Fp, class _System = void, class _Difference = std::ptrdiff_t>
class tabulate_output_iterator
    : public detail::facade<tabulate_output_iterator<_Fp, _System, _Difference>, void, detail::told_of<_Fp>,
                            detail::memory_space::anywhere>
{
  public:
    tabulate_output_iterator(_Fp __f, _Difference __start = 0) : __f_(__f), __place_(__start)
    {
    }
    /** @cond internal */
    detail::told_of<_Fp> at(detail::index __i) const
    {
        return {__place_ + __i, __f_};
    }
    void move(detail::index __n)
    {
        __place_ += __n;
    }
    detail::index from(const tabulate_output_iterator &__other) const
    {
        return __place_ - __other.__place_;
    }
    /** @endcond */

  private:
    _Fp __f_;
    detail::index __place_;
};
template <class _Fp>
tabulate_output_iterator<_Fp> make_tabulate_output_iterator(_Fp __f, std::ptrdiff_t __start = 0)
{
    return tabulate_output_iterator<_Fp>(__f, __start);
}
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
