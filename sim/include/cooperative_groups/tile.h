/**
 * @file tile.h
 * @brief Tiles of any size: thread_block_tile. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_TILE_H
#define UMSIM_COOPERATIVE_GROUPS_TILE_H

#include "lanes.h"

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* A tile of several warps, of which each is a tile<32>. */
template <unsigned Size> class wide_tile
{
    static_assert(Size == 64 || Size == 128 || Size == 256 || Size == 512,
                  "a tile of more than a warp has 64, 128, 256 or 512 threads");

  public:
    /** Waits for all threads of the tile. */
    __device__ void sync(UMSIM_PLACE) const
    {
        umsim_tile_wait(Size, file, line);
    }
    /** Number of its threads. */
    __device__ static constexpr unsigned size()
    {
        return Size;
    }
    /** Same. */
    __device__ static constexpr unsigned num_threads()
    {
        return Size;
    }
    /** This thread's number in it. */
    __device__ static unsigned thread_rank()
    {
        return block_thread() % Size;
    }
    /** Tiles that the parent was cut into. */
    __device__ unsigned meta_group_size() const
    {
        return siblings_;
    }
    /** This tile's number among them. */
    __device__ unsigned meta_group_rank() const
    {
        return number_;
    }
    /** The value that the thread of rank `source` passes: up to 8 bytes. */
    template <class T> __device__ T shfl(T value, unsigned source, UMSIM_PLACE) const
    {
        T result;
        fetch(value, &result, 1, source % Size, 0, file, line);
        return result;
    }
    /** Whether the predicate holds for any thread. */
    __device__ int any(int predicate, UMSIM_PLACE) const
    {
        int warps[Size / 32], found = 0;
        fetch((int)umsim_warp(UMSIM_ANY, umsim::full_mask, predicate != 0, 0, file, line), warps, Size / 32,
              0, 32, file, line);
        for (unsigned w = 0; w < Size / 32; w++)
            found |= warps[w];
        return found;
    }
    /** Whether it holds for all. */
    __device__ int all(int predicate, UMSIM_PLACE) const
    {
        return !any(!predicate, file, line);
    }

    /* What the threads of ranks `first`, `first + step`, ... pass: `count` values. */
    template <class T>
    __device__ static void fetch(const T &value, T *values, unsigned count, unsigned first, unsigned step,
                                 const char *file, int line)
    {
        static_assert(sizeof(T) <= 8, "tiles of more than a warp pass on values of 8 bytes at most");
        umsim_tile_bring(umsim::to_lanes(value));
        umsim_tile_wait(Size, file, line);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t bits = umsim_tile_value(Size, first + i * step);
            memcpy(&values[i], &bits, sizeof(T));
        }
        umsim_tile_wait(Size, file, line);
    }

  protected:
    __device__ wide_tile(unsigned siblings, unsigned number) : siblings_(siblings), number_(number)
    {
    }

  private:
    unsigned siblings_, number_;
};

template <unsigned Size, bool Wide = (Size > 32)> struct tile_of {
    typedef tile<Size> type;
};
template <unsigned Size> struct tile_of<Size, true> {
    typedef wide_tile<Size> type;
};

} // namespace details
/** @endcond */

/** A tile of a block or of a larger tile: tiled_partition<Size>(). */
template <unsigned Size, class Parent = void> class thread_block_tile : public details::tile_of<Size>::type
{
    __device__ thread_block_tile(unsigned siblings, unsigned number)
        : details::tile_of<Size>::type(siblings, number)
    {
    }
    friend struct details::access;
};

/** A tile whose parent's type does not matter: what functions take. */
template <unsigned Size> class thread_block_tile<Size, void> : public details::tile_of<Size>::type
{
  public:
    /** From a tile of any parent. */
    template <class Parent>
    __device__ thread_block_tile(const thread_block_tile<Size, Parent> &other)
        : details::tile_of<Size>::type(other)
    {
    }

  private:
    __device__ thread_block_tile() : details::tile_of<Size>::type(1, 0)
    {
    }
    friend struct details::access;
};

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
