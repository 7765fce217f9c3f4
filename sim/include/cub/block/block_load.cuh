/**
 * @file block_load.cuh
 * @brief cub::BlockLoad and LoadDirect...: a tile of an array into a block's threads.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_LOAD_CUH
#define UMSIM_CUB_BLOCK_BLOCK_LOAD_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/tile.cuh"
#include "../iterator/cache_modified_input_iterator.cuh"
#include "block_exchange.cuh"

namespace cub
{
/** How a block reads a tile. In all but BLOCK_LOAD_STRIPED a thread's items are neighbours at the end. */
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

/** (thread, source, items), then the number of valid items, then what the others become. @{ */
template <class _Ip, class _Tp, int _Items, class... _Guard>
__device__ void LoadDirectBlocked(int __thread_, _Ip __from, _Tp (&__items)[_Items], _Guard... __guard)
{
    detail::load(
        __from, __items, [=](int __i) { return __thread_ * _Items + __i; }, __guard...);
}
template <class _Tp, int _Items>
__device__ void LoadDirectBlockedVectorized(int __thread_, _Tp *__from,
                                            std::remove_cv_t<_Tp> (&__items)[_Items])
{
    LoadDirectBlocked(__thread_, __from, __items);
}
template <int _Threads, class _Ip, class _Tp, int _Items, class... _Guard>
__device__ void LoadDirectStriped(int __thread_, _Ip __from, _Tp (&__items)[_Items], _Guard... __guard)
{
    detail::load(
        __from, __items, [=](int __i) { return __i * _Threads + __thread_; }, __guard...);
}
template <class _Ip, class _Tp, int _Items, class... _Guard>
__device__ void LoadDirectWarpStriped(int __thread_, _Ip __from, _Tp (&__items)[_Items], _Guard... __guard)
{
    detail::load(
        __from, __items, [=](int __i) { return __thread_ / 32 * 32 * _Items + __i * 32 + __thread_ % 32; },
        __guard...);
}
/** @} */

/** Loads `_Items` items into each of a block's threads. */
template <class _Tp, int _Xp, int _Items, BlockLoadAlgorithm _How = BLOCK_LOAD_DIRECT, int _Yp = 1,
          int _Zp = 1>
class BlockLoad
    : public detail::with_temporary<BlockLoad<_Tp, _Xp, _Items, _How, _Yp, _Zp>,
                                    detail::tile_storage<(_How >= BLOCK_LOAD_TRANSPOSE),
                                                         BlockExchange<_Tp, _Xp, _Items, false, _Yp, _Zp>>>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockLoad::with_temporary::with_temporary;

    /** (source, items), then the number of valid items, then what the others become. */
    template <class _Ip, class... _Guard>
    __device__ void Load(_Ip __from, _Tp (&__items)[_Items], _Guard... __guard)
    {
        if constexpr (_How == BLOCK_LOAD_STRIPED)
            detail::load(__from, __items, detail::striped<group, _Items>(), __guard...);
        else if constexpr (_How == BLOCK_LOAD_TRANSPOSE) {
            detail::load(__from, __items, detail::striped<group, _Items>(), __guard...);
            BlockExchange<_Tp, _Xp, _Items, false, _Yp, _Zp>(this->__storage_).StripedToBlocked(__items);
        } else if constexpr (_How > BLOCK_LOAD_TRANSPOSE) {
            detail::load(__from, __items, detail::warp_striped<group, _Items>(), __guard...);
            BlockExchange<_Tp, _Xp, _Items, false, _Yp, _Zp>(this->__storage_).WarpStripedToBlocked(__items);
        } else
            detail::load(__from, __items, detail::blocked<group, _Items>(), __guard...);
    }
};
} // namespace cub

#endif
