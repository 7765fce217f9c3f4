/**
 * @file warp_store.cuh
 * @brief cub::WarpStore: a warp's items into a tile of an array.
 */
#ifndef UMSIM_CUB_WARP_WARP_STORE_CUH
#define UMSIM_CUB_WARP_WARP_STORE_CUH

#include "../detail/tile.cuh"
#include "warp_exchange.cuh"
#include "../block/block_store.cuh"

namespace cub
{
/** How a warp writes a tile. In all but WARP_STORE_STRIPED a lane's items go to neighbours. */
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

/** Stores `_Items` items of each lane of a warp, or of a part of one. */
template <class _Tp, int _Items, WarpStoreAlgorithm _How = WARP_STORE_DIRECT, int _Lanes = 32>
class WarpStore : public detail::with_temporary<
                      WarpStore<_Tp, _Items, _How, _Lanes>,
                      detail::tile_storage<_How == WARP_STORE_TRANSPOSE, WarpExchange<_Tp, _Items, _Lanes>>>
{
    using group = detail::warp_group<_Lanes>;

  public:
    using WarpStore::with_temporary::with_temporary;

    /** (destination, items), then the number of items that are stored. */
    template <class _Op, class... _Guard>
    __device__ void Store(_Op __to, _Tp (&__items)[_Items], _Guard... __guard)
    {
        if constexpr (_How == WARP_STORE_TRANSPOSE)
            WarpExchange<_Tp, _Items, _Lanes>(this->__storage_).BlockedToStriped(__items, __items);
        if constexpr (_How == WARP_STORE_STRIPED || _How == WARP_STORE_TRANSPOSE)
            detail::store(__to, __items, detail::striped<group, _Items>(), __guard...);
        else
            detail::store(__to, __items, detail::blocked<group, _Items>(), __guard...);
    }
};
} // namespace cub

#endif
