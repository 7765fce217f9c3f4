/**
 * @file warp_load.cuh
 * @brief cub::WarpLoad: a tile of an array into a warp's lanes.
 */
#ifndef UMSIM_CUB_WARP_WARP_LOAD_CUH
#define UMSIM_CUB_WARP_WARP_LOAD_CUH

#include "../detail/tile.cuh"
#include "../iterator/cache_modified_input_iterator.cuh"
#include "warp_exchange.cuh"
#include "../block/block_load.cuh"

namespace cub
{
/** How a warp reads a tile. In all but WARP_LOAD_STRIPED a lane's items are neighbours at the end. */
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

/** Loads `_Items` items into each lane of a warp, or of a part of one. */
template <class _Tp, int _Items, WarpLoadAlgorithm _How = WARP_LOAD_DIRECT, int _Lanes = 32>
class WarpLoad : public detail::with_temporary<
                     WarpLoad<_Tp, _Items, _How, _Lanes>,
                     detail::tile_storage<_How == WARP_LOAD_TRANSPOSE, WarpExchange<_Tp, _Items, _Lanes>>>
{
    using group = detail::warp_group<_Lanes>;

  public:
    using WarpLoad::with_temporary::with_temporary;

    /** (source, items), then the number of valid items, then what the others become. */
    template <class _Ip, class... _Guard>
    __device__ void Load(_Ip __from, _Tp (&__items)[_Items], _Guard... __guard)
    {
        if constexpr (_How == WARP_LOAD_STRIPED || _How == WARP_LOAD_TRANSPOSE)
            detail::load(__from, __items, detail::striped<group, _Items>(), __guard...);
        else
            detail::load(__from, __items, detail::blocked<group, _Items>(), __guard...);
        if constexpr (_How == WARP_LOAD_TRANSPOSE)
            WarpExchange<_Tp, _Items, _Lanes>(this->__storage_).StripedToBlocked(__items, __items);
    }
};
} // namespace cub

#endif
