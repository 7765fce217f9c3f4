/**
 * @file arg_index_input_iterator.cuh
 * @brief cub::ArgIndexInputIterator: elements with their places.
 */
#ifndef UMSIM_CUB_ITERATOR_ARG_INDEX_INPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_ARG_INDEX_INPUT_ITERATOR_CUH

#include "../util_debug.cuh"

#include "../../thrust/detail/facade.h"
#include "../util_type.cuh"

namespace cub
{
/** Its elements are pairs (place, element) of another iterator's. */
template <class _Ip, class _Offset = std::ptrdiff_t, class _Vp = thrust::detail::value_of<_Ip>>
class ArgIndexInputIterator
    : public thrust::detail::facade<ArgIndexInputIterator<_Ip, _Offset, _Vp>, KeyValuePair<_Offset, _Vp>,
                                    KeyValuePair<_Offset, _Vp>, thrust::detail::memory_space_of<_Ip>()>
{
  public:
    __host__ __device__ ArgIndexInputIterator(_Ip __in, _Offset __place = 0) : __in_(__in), __place_(__place)
    {
    }
    /** The places begin at 0 again. */
    __host__ __device__ void normalize()
    {
        __in_ += __place_;
        __place_ = 0;
    }
    /** @cond internal */
    KeyValuePair<_Offset, _Vp> at(thrust::detail::index __i) const
    {
        return {(_Offset)(__place_ + __i), (_Vp)__in_[__place_ + __i]};
    }
    void move(thrust::detail::index __n)
    {
        __place_ += __n;
    }
    thrust::detail::index from(const ArgIndexInputIterator &__other) const
    {
        return __place_ - __other.__place_;
    }
    auto thrust_raw() const
    {
        const auto __behind = thrust::detail::raw(__in_);
        return ArgIndexInputIterator<std::decay_t<decltype(__behind)>, _Offset, _Vp>(__behind, __place_);
    }
    /** @endcond */

  private:
    _Ip __in_;
    _Offset __place_;
};
} // namespace cub

#endif
