/**
 * @file transform_input_output_iterator.h
 * @brief thrust::transform_input_output_iterator: reads through one function and writes through another.
 */
#ifndef UMSIM_THRUST_TRANSFORM_INPUT_OUTPUT_ITERATOR_H
#define UMSIM_THRUST_TRANSFORM_INPUT_OUTPUT_ITERATOR_H

#include "../detail/wrapped.h"

namespace thrust
{
/** Its elements are `in` of another iterator's; what is written to it is `out` of that there. */
template <class _In, class _Out, class _Ip>
class transform_input_output_iterator
    : public detail::wrapped<transform_input_output_iterator<_In, _Out, _Ip>, _Ip,
                             std::decay_t<std::invoke_result_t<const _In &, detail::value_of<_Ip>>>,
                             detail::through<_Ip, _In, _Out>>
{
  public:
    transform_input_output_iterator(_Ip __base, _In __in, _Out __out)
        : transform_input_output_iterator::wrapped(__base), __in_(__in), __out_(__out)
    {
    }
    /** @cond internal */
    detail::through<_Ip, _In, _Out> at(detail::index __i) const
    {
        return {this->__base_ + __i, __in_, __out_};
    }
    auto thrust_raw() const
    {
        const auto __behind = detail::raw(this->__base_);
        return transform_input_output_iterator<_In, _Out, std::decay_t<decltype(__behind)>>(__behind, __in_,
                                                                                            __out_);
    }
    /** @endcond */

  private:
    _In __in_;
    _Out __out_;
};
template <class _In, class _Out, class _Ip>
transform_input_output_iterator<_In, _Out, _Ip> make_transform_input_output_iterator(_Ip __base, _In __in,
                                                                                     _Out __out)
{
    return transform_input_output_iterator<_In, _Out, _Ip>(__base, __in, __out);
}
} // namespace thrust

#include "../detail/brought_lightly.h"

#endif
