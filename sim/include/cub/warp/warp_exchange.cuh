/**
 * @file warp_exchange.cuh
 * @brief cub::WarpExchange: which lane has which of a warp's items.
 */
#ifndef UMSIM_CUB_WARP_WARP_EXCHANGE_CUH
#define UMSIM_CUB_WARP_WARP_EXCHANGE_CUH

#include "../detail/group.cuh"

namespace cub
{
/** Accepted, and the same. */
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

/** Rearranges the items of a warp, or of a part of one. */
template <class _Tp, int _Items, int _Lanes = 32, WarpExchangeAlgorithm _How = WARP_EXCHANGE_SMEM>
class WarpExchange : public detail::with_temporary<WarpExchange<_Tp, _Items, _Lanes, _How>,
                                                   detail::array_storage<_Tp, _Lanes * _Items>>
{
    using group = detail::warp_group<_Lanes>;

  public:
    using WarpExchange::with_temporary::with_temporary;

    template <class _Ip, class _Op>
    __device__ void StripedToBlocked(const _Ip (&__in)[_Items], _Op (&__out)[_Items])
    {
        detail::exchange<group>(this->__storage_.values(), __in, __out, detail::striped<group, _Items>(),
                                detail::blocked<group, _Items>());
    }
    template <class _Ip, class _Op>
    __device__ void BlockedToStriped(const _Ip (&__in)[_Items], _Op (&__out)[_Items])
    {
        detail::exchange<group>(this->__storage_.values(), __in, __out, detail::blocked<group, _Items>(),
                                detail::striped<group, _Items>());
    }
    /** Item i goes to place `__ranks`[i] of all. @{ */
    template <class _Ip, class _Op, class _Rank>
    __device__ void ScatterToStriped(const _Ip (&__in)[_Items], _Op (&__out)[_Items],
                                     _Rank (&__ranks)[_Items])
    {
        detail::exchange<group>(
            this->__storage_.values(), __in, __out, [&](int __i) { return (int)__ranks[__i]; },
            detail::striped<group, _Items>());
    }
    template <class _Rank> __device__ void ScatterToStriped(_Tp (&__items)[_Items], _Rank (&__ranks)[_Items])
    {
        ScatterToStriped(__items, __items, __ranks);
    }
    /** @} */
};
} // namespace cub

#endif
