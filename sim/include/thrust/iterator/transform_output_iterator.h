/**
 * @file transform_output_iterator.h
 * @brief thrust::transform_output_iterator: writes a function's values.
 */
#ifndef UMSIM_THRUST_TRANSFORM_OUTPUT_ITERATOR_H
#define UMSIM_THRUST_TRANSFORM_OUTPUT_ITERATOR_H

#include "../detail/wrapped.h"

namespace thrust
{
/** What is written to it is `f` of that in another iterator. */
template <class _Fp, class _Ip>
class transform_output_iterator
    : public detail::wrapped<transform_output_iterator<_Fp, _Ip>, _Ip, detail::value_of<_Ip>,
                             detail::through<_Ip, detail::nothing, _Fp>>
{
  public:
    transform_output_iterator(_Ip __base, _Fp __f) : transform_output_iterator::wrapped(__base), __f_(__f)
    {
    }
    /** @cond internal */
    detail::through<_Ip, detail::nothing, _Fp> at(detail::index __i) const
    {
        return {this->__base_ + __i, {}, __f_};
    }
    auto thrust_raw() const
    {
        const auto __behind = detail::raw(this->__base_);
        return transform_output_iterator<_Fp, std::decay_t<decltype(__behind)>>(__behind, __f_);
    }
    /** @endcond */

  private:
    _Fp __f_;
};
template <class _Fp, class _Ip>
transform_output_iterator<_Fp, _Ip> make_transform_output_iterator(_Ip __base, _Fp __f)
{
    return transform_output_iterator<_Fp, _Ip>(__base, __f);
}
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
