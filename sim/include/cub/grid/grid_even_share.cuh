/**
 * @file grid_even_share.cuh
 * @brief cub::GridEvenShare: divides an array's tiles evenly among blocks.
 */
#ifndef UMSIM_CUB_GRID_GRID_EVEN_SHARE_CUH
#define UMSIM_CUB_GRID_GRID_EVEN_SHARE_CUH

#include "grid_mapping.cuh"
#include "../util_math.cuh"
#include "../util_type.cuh"

namespace cub
{
/** The host calls DispatchInit() and starts `grid_size` blocks, each of which calls BlockInit(). */
template <class _Offset> struct GridEvenShare {
    _Offset num_items = 0;
    int grid_size = 0;
    /** The block's elements, and from tile to tile. */
    _Offset block_offset = 0, block_end = 0, block_stride = 0;

    __host__ __device__ void DispatchInit(_Offset __items, int __most_blocks, int __tile)
    {
        block_offset = block_end = num_items = __items;
        __tile_ = __tile;
        __tiles_ = (__items + __tile - 1) / __tile;
        grid_size = __tiles_ < __most_blocks ? (int)__tiles_ : __most_blocks;
    }
    template <int _Tile, GridMappingStrategy _How> __device__ void BlockInit()
    {
        const _Offset __block = blockIdx.x;
        if (_How == GRID_MAPPING_RAKE) {
            /* the first blocks have a tile more where they do not come out even */
            const _Offset __share = __tiles_ / grid_size, __more = __tiles_ % grid_size;
            const _Offset __first = __block * __share + (__block < __more ? __block : __more);
            const _Offset __end = (__first + __share + (__block < __more)) * __tile_;
            BlockInit<_Tile>(__first * __tile_, __end < num_items ? __end : num_items);
        } else {
            BlockInit<_Tile>(__block * _Tile, num_items);
            block_stride = (_Offset)grid_size * _Tile;
        }
    }
    template <int _Tile> __device__ void BlockInit(_Offset __begin, _Offset __end)
    {
        block_offset = __begin;
        block_end = __end;
        block_stride = _Tile;
    }

  private:
    _Offset __tiles_ = 0, __tile_ = 0;
};
} // namespace cub

#endif
