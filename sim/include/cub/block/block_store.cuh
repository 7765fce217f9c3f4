/**
 * @file block_store.cuh
 * @brief cub::BlockStore and StoreDirect...: a block's items into a tile of an array.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_STORE_CUH
#define UMSIM_CUB_BLOCK_BLOCK_STORE_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/tile.cuh"
#include "block_exchange.cuh"

namespace cub
{
/** How a block writes a tile. In all but BLOCK_STORE_STRIPED a thread's items go to neighbours. */
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/** (thread, destination, items), then the number of items that are stored. @{ */
template <class _Op, class _Tp, int _Items, class... _Guard>
__device__ void StoreDirectBlocked(int __thread_, _Op __to, _Tp (&__items)[_Items], _Guard... __guard)
{
    detail::store(
        __to, __items, [=](int __i) { return __thread_ * _Items + __i; }, __guard...);
}
template <class _Tp, int _Items>
__device__ void StoreDirectBlockedVectorized(int __thread_, _Tp *__to, _Tp (&__items)[_Items])
{
    StoreDirectBlocked(__thread_, __to, __items);
}
template <int _Threads, class _Op, class _Tp, int _Items, class... _Guard>
__device__ void StoreDirectStriped(int __thread_, _Op __to, _Tp (&__items)[_Items], _Guard... __guard)
{
    detail::store(
        __to, __items, [=](int __i) { return __i * _Threads + __thread_; }, __guard...);
}
template <class _Op, class _Tp, int _Items, class... _Guard>
__device__ void StoreDirectWarpStriped(int __thread_, _Op __to, _Tp (&__items)[_Items], _Guard... __guard)
{
    detail::store(
        __to, __items, [=](int __i) { return __thread_ / 32 * 32 * _Items + __i * 32 + __thread_ % 32; },
        __guard...);
}
/** @} */

/** Stores `_Items` items of each of a block's threads. */
template <class _Tp, int _Xp, int _Items, BlockStoreAlgorithm _How = BLOCK_STORE_DIRECT, int _Yp = 1,
          int _Zp = 1>
class BlockStore
    : public detail::with_temporary<BlockStore<_Tp, _Xp, _Items, _How, _Yp, _Zp>,
                                    detail::tile_storage<(_How >= BLOCK_STORE_TRANSPOSE),
                                                         BlockExchange<_Tp, _Xp, _Items, false, _Yp, _Zp>>>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockStore::with_temporary::with_temporary;

    /** (destination, items), then the number of items that are stored. */
    template <class _Op, class... _Guard>
    __device__ void Store(_Op __to, _Tp (&__items)[_Items], _Guard... __guard)
    {
        if constexpr (_How == BLOCK_STORE_STRIPED)
            detail::store(__to, __items, detail::striped<group, _Items>(), __guard...);
        else if constexpr (_How == BLOCK_STORE_TRANSPOSE) {
            BlockExchange<_Tp, _Xp, _Items, false, _Yp, _Zp>(this->__storage_).BlockedToStriped(__items);
            detail::store(__to, __items, detail::striped<group, _Items>(), __guard...);
        } else if constexpr (_How > BLOCK_STORE_TRANSPOSE) {
            BlockExchange<_Tp, _Xp, _Items, false, _Yp, _Zp>(this->__storage_).BlockedToWarpStriped(__items);
            detail::store(__to, __items, detail::warp_striped<group, _Items>(), __guard...);
        } else
            detail::store(__to, __items, detail::blocked<group, _Items>(), __guard...);
    }
};
} // namespace cub

#endif
