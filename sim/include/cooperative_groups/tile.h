/**
 * @file tile.h
 * @brief Tiles of any size: thread_block_tile. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_TILE_H
#define UMSIM_COOPERATIVE_GROUPS_TILE_H

#include "lanes.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* A tile of several warps, each of which is a tile<32>. */
template <unsigned _Size> class wide_tile
{
    static_assert(_Size == 64 || _Size == 128 || _Size == 256 || _Size == 512,
                  "a tile of more than a warp has 64, 128, 256 or 512 threads");

  public:
    /** Waits for all threads of the tile. */
    __device__ void sync(UMSIM_PLACE) const
    {
        umsim_tile_wait(_Size, __file, __line);
    }
    /** The number of its threads. */
    __device__ static constexpr unsigned size()
    {
        return _Size;
    }
    /** Same. */
    __device__ static constexpr unsigned num_threads()
    {
        return _Size;
    }
    /** This thread's rank in it. */
    __device__ static unsigned thread_rank()
    {
        return block_thread() % _Size;
    }
    /** The number of tiles that the parent was divided into. */
    __device__ unsigned meta_group_size() const
    {
        return __siblings_;
    }
    /** This tile's rank among them. */
    __device__ unsigned meta_group_rank() const
    {
        return __number_;
    }
    /** The value that the thread of rank `__source` passes: up to 8 bytes. */
    template <class _Tp> __device__ _Tp shfl(_Tp __value, unsigned __source, UMSIM_PLACE) const
    {
        _Tp __result;
        fetch(__value, &__result, 1, __source % _Size, 0, __file, __line);
        return __result;
    }
    /** Whether the predicate holds for any thread. */
    __device__ int any(int __predicate, UMSIM_PLACE) const
    {
        int __warps[_Size / 32], __found = 0;
        fetch((int)umsim_warp(UMSIM_ANY, umsim::full_mask, __predicate != 0, 0, __file, __line), __warps,
              _Size / 32, 0, 32, __file, __line);
        for (unsigned __w = 0; __w < _Size / 32; __w++)
            __found |= __warps[__w];
        return __found;
    }
    /** Whether it holds for all. */
    __device__ int all(int __predicate, UMSIM_PLACE) const
    {
        return !any(!__predicate, __file, __line);
    }

    /* The values that the threads of ranks `__first`, `__first + __step`, ... pass: `__count` of them. */
    template <class _Tp>
    __device__ static void fetch(const _Tp &__value, _Tp *__values, unsigned __count, unsigned __first,
                                 unsigned __step, const char *__file, int __line)
    {
        static_assert(sizeof(_Tp) <= 8, "tiles of more than a warp pass on values of 8 bytes at most");
        umsim_tile_bring(umsim::to_lanes(__value));
        umsim_tile_wait(_Size, __file, __line);
        for (unsigned __i = 0; __i < __count; __i++) {
            const uint64_t __bits = umsim_tile_value(_Size, __first + __i * __step);
            memcpy(&__values[__i], &__bits, sizeof(_Tp));
        }
        umsim_tile_wait(_Size, __file, __line);
    }

  protected:
    __device__ wide_tile(unsigned __siblings, unsigned __number)
        : __siblings_(__siblings), __number_(__number)
    {
    }

  private:
    unsigned __siblings_, __number_;
};

template <unsigned _Size, bool _Wide = (_Size > 32)> struct tile_of {
    typedef lane_tile<_Size> type;
};
template <unsigned _Size> struct tile_of<_Size, true> {
    typedef wide_tile<_Size> type;
};

} // namespace details
/** @endcond */

/** A tile of a block or of a larger tile: tiled_partition<Size>(). */
template <unsigned _Size, class _Parent = void> class thread_block_tile : public details::tile_of<_Size>::type
{
    __device__ thread_block_tile(unsigned __siblings, unsigned __number)
        : details::tile_of<_Size>::type(__siblings, __number)
    {
    }
    friend struct details::access;
};

/** A tile whose parent's type does not matter, for function parameters. */
template <unsigned _Size> class thread_block_tile<_Size, void> : public details::tile_of<_Size>::type
{
  public:
    /** From a tile of any parent. */
    template <class _Parent>
    __device__ thread_block_tile(const thread_block_tile<_Size, _Parent> &__other)
        : details::tile_of<_Size>::type(__other)
    {
    }

  private:
    __device__ thread_block_tile() : details::tile_of<_Size>::type(1, 0)
    {
    }
    friend struct details::access;
};

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
