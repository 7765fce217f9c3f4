/**
 * @file block_exchange.cuh
 * @brief cub::BlockExchange: which thread has which of a block's items.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_EXCHANGE_CUH
#define UMSIM_CUB_BLOCK_BLOCK_EXCHANGE_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/group.cuh"

namespace cub
{
/** Rearranges a block's items: blocked (a thread's are neighbours), striped, striped in each warp, or by
 * ranks. */
template <class _Tp, int _Xp, int _Items, bool _TimeSlicing = false, int _Yp = 1, int _Zp = 1>
class BlockExchange : public detail::with_temporary<BlockExchange<_Tp, _Xp, _Items, _TimeSlicing, _Yp, _Zp>,
                                                    detail::array_storage<_Tp, _Xp * _Yp * _Zp * _Items>>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;
    using warp = detail::warp_group<32>;
    using blocked = detail::blocked<group, _Items>;
    using striped = detail::striped<group, _Items>;
    using warp_striped = detail::warp_striped<group, _Items>;

  public:
    using BlockExchange::with_temporary::with_temporary;

    /** From `__in` to `__out`, which may be the same; with one argument in place. @{ */
    template <class _Op> __device__ void StripedToBlocked(const _Tp (&__in)[_Items], _Op (&__out)[_Items])
    {
        detail::exchange<group>(this->__storage_.values(), __in, __out, striped(), blocked());
    }
    template <class _Op> __device__ void BlockedToStriped(const _Tp (&__in)[_Items], _Op (&__out)[_Items])
    {
        detail::exchange<group>(this->__storage_.values(), __in, __out, blocked(), striped());
    }
    template <class _Op> __device__ void WarpStripedToBlocked(const _Tp (&__in)[_Items], _Op (&__out)[_Items])
    {
        detail::exchange<warp>(this->__storage_.values(), __in, __out, warp_striped(), blocked());
    }
    template <class _Op> __device__ void BlockedToWarpStriped(const _Tp (&__in)[_Items], _Op (&__out)[_Items])
    {
        detail::exchange<warp>(this->__storage_.values(), __in, __out, blocked(), warp_striped());
    }
    __device__ void StripedToBlocked(_Tp (&__items)[_Items])
    {
        StripedToBlocked(__items, __items);
    }
    __device__ void BlockedToStriped(_Tp (&__items)[_Items])
    {
        BlockedToStriped(__items, __items);
    }
    __device__ void WarpStripedToBlocked(_Tp (&__items)[_Items])
    {
        WarpStripedToBlocked(__items, __items);
    }
    __device__ void BlockedToWarpStriped(_Tp (&__items)[_Items])
    {
        BlockedToWarpStriped(__items, __items);
    }
    /** @} */

    /** Item i goes to place `__ranks`[i] of all. @{ */
    template <class _Op, class _Rank>
    __device__ void ScatterToBlocked(const _Tp (&__in)[_Items], _Op (&__out)[_Items],
                                     _Rank (&__ranks)[_Items])
    {
        detail::exchange<group>(
            this->__storage_.values(), __in, __out, [&](int __i) { return (int)__ranks[__i]; }, blocked());
    }
    template <class _Op, class _Rank>
    __device__ void ScatterToStriped(const _Tp (&__in)[_Items], _Op (&__out)[_Items],
                                     _Rank (&__ranks)[_Items])
    {
        detail::exchange<group>(
            this->__storage_.values(), __in, __out, [&](int __i) { return (int)__ranks[__i]; }, striped());
    }
    template <class _Rank> __device__ void ScatterToBlocked(_Tp (&__items)[_Items], _Rank (&__ranks)[_Items])
    {
        ScatterToBlocked(__items, __items, __ranks);
    }
    template <class _Rank> __device__ void ScatterToStriped(_Tp (&__items)[_Items], _Rank (&__ranks)[_Items])
    {
        ScatterToStriped(__items, __items, __ranks);
    }
    /** @} */
    /** Only the items with ranks of 0 and more. @{ */
    template <class _Op, class _Rank>
    __device__ void ScatterToStripedGuarded(const _Tp (&__in)[_Items], _Op (&__out)[_Items],
                                            _Rank (&__ranks)[_Items])
    {
        scatter_if(__in, __out, __ranks, [&](int __i) { return __ranks[__i] >= 0; });
    }
    template <class _Rank>
    __device__ void ScatterToStripedGuarded(_Tp (&__items)[_Items], _Rank (&__ranks)[_Items])
    {
        ScatterToStripedGuarded(__items, __items, __ranks);
    }
    /** @} */
    /** Only the items whose flag is set. @{ */
    template <class _Op, class _Rank, class _Flag>
    __device__ void ScatterToStripedFlagged(const _Tp (&__in)[_Items], _Op (&__out)[_Items],
                                            _Rank (&__ranks)[_Items], _Flag (&__flags)[_Items])
    {
        scatter_if(__in, __out, __ranks, [&](int __i) { return (bool)__flags[__i]; });
    }
    template <class _Rank, class _Flag>
    __device__ void ScatterToStripedFlagged(_Tp (&__items)[_Items], _Rank (&__ranks)[_Items],
                                            _Flag (&__flags)[_Items])
    {
        ScatterToStripedFlagged(__items, __items, __ranks, __flags);
    }
    /** @} */

  private:
    template <class _Op, class _Rank, class _Fp>
    __device__ void scatter_if(const _Tp (&__in)[_Items], _Op (&__out)[_Items], _Rank (&__ranks)[_Items],
                               _Fp __goes)
    {
        _Tp *const __s = this->__storage_.values();
        for (int __i = 0; __i < _Items; __i++)
            if (__goes(__i))
                __s[__ranks[__i]] = __in[__i];
        group::sync();
        for (int __i = 0; __i < _Items; __i++)
            __out[__i] = __s[striped()(__i)];
    }
};
} // namespace cub

#endif
