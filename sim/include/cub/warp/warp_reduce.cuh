/**
 * @file warp_reduce.cuh
 * @brief cub::WarpReduce: one value of a warp's values, or one for each of its segments.
 */
#ifndef UMSIM_CUB_WARP_WARP_REDUCE_CUH
#define UMSIM_CUB_WARP_WARP_REDUCE_CUH

#include "../detail/group.cuh"
#include "../thread/thread_operators.cuh"
#include "../thread/thread_reduce.cuh"
#include "../thread/thread_load.cuh"
#include "../thread/thread_store.cuh"

namespace cub
{
/** Reduces the values of the lanes of a warp, or of a part of a warp, to one, which the first lane gets. */
template <class _Tp, int _Lanes = 32>
class WarpReduce : public detail::with_temporary<WarpReduce<_Tp, _Lanes>, detail::array_storage<_Tp, _Lanes>>
{
    using group = detail::warp_group<_Lanes>;

  public:
    using WarpReduce::with_temporary::with_temporary;

    template <class _Fp> __device__ _Tp Reduce(_Tp __value, _Fp __op, int __valid = _Lanes)
    {
        return detail::reduce<group>(this->__storage_.values(), __value, __op, __valid);
    }
    template <int _Items, class _Fp> __device__ _Tp Reduce(_Tp (&__items)[_Items], _Fp __op)
    {
        return Reduce((_Tp)ThreadReduce(__items, __op), __op);
    }
    template <class... _More> __device__ _Tp Sum(_Tp __value, _More... __valid)
    {
        return Reduce(__value, detail::add(), __valid...);
    }
    template <class... _More> __device__ _Tp Max(_Tp __value, _More... __valid)
    {
        return Reduce(__value, cub::Max(), __valid...);
    }
    template <class... _More> __device__ _Tp Min(_Tp __value, _More... __valid)
    {
        return Reduce(__value, cub::Min(), __valid...);
    }
    template <int _Items> __device__ _Tp Sum(_Tp (&__items)[_Items])
    {
        return Reduce(__items, detail::add());
    }
    template <int _Items> __device__ _Tp Max(_Tp (&__items)[_Items])
    {
        return Reduce(__items, cub::Max());
    }
    template <int _Items> __device__ _Tp Min(_Tp (&__items)[_Items])
    {
        return Reduce(__items, cub::Min());
    }

    /** Each lane whose flag is set begins a segment, and gets the segment's result. @{ */
    template <class _Flag, class _Fp> __device__ _Tp HeadSegmentedReduce(_Tp __value, _Flag __flag, _Fp __op)
    {
        /* the lane before a head is the last one of its segment */
        return segment(__value, __ballot_sync(group::mask(), __flag) >> 1 | 1u << 31, __op);
    }
    template <class _Flag> __device__ _Tp HeadSegmentedSum(_Tp __value, _Flag __flag)
    {
        return HeadSegmentedReduce(__value, __flag, detail::add());
    }
    /** @} */
    /** Each lane whose flag is set ends a segment, whose first lane gets the result. @{ */
    template <class _Flag, class _Fp> __device__ _Tp TailSegmentedReduce(_Tp __value, _Flag __flag, _Fp __op)
    {
        return segment(__value, __ballot_sync(group::mask(), __flag), __op);
    }
    template <class _Flag> __device__ _Tp TailSegmentedSum(_Tp __value, _Flag __flag)
    {
        return TailSegmentedReduce(__value, __flag, detail::add());
    }
    /** @} */

  private:
    /* The sum from this lane to the next one that is last. */
    template <class _Fp> __device__ _Tp segment(_Tp __value, unsigned __last, _Fp __op)
    {
        const int __rank = group::rank(), __first = LaneId() - __rank;
        _Tp *const __s = this->__storage_.values();
        __s[__rank] = __value;
        group::sync();
        for (int __i = __rank; __i + 1 < _Lanes && !(__last >> (__first + __i) & 1); __i++)
            __value = __op(__value, __s[__i + 1]);
        group::done();
        return __value;
    }
};
} // namespace cub

#endif
