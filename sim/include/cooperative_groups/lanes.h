/**
 * @file lanes.h
 * @brief What lanes of a warp do together, and tiles of them. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_LANES_H
#define UMSIM_COOPERATIVE_GROUPS_LANES_H

#include "group.h"

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* What lanes of a warp can do together; `Group` says which lane has which rank. */
template <class Group> class lanes : public thread_group
{
  public:
    /** The value that the thread of rank `source` passes. */
    template <class T> __device__ T shfl(T value, int source, UMSIM_PLACE) const
    {
        return umsim::from_lane(UMSIM_SHFL, mask_, value, self().lane_of(self().wrap((unsigned)source)), file,
                                line);
    }
    /** The value of the thread `delta` ranks below; its own where there is none. */
    template <class T> __device__ T shfl_up(T value, unsigned delta, UMSIM_PLACE) const
    {
        const unsigned rank = self().rank(), source = delta > rank ? rank : rank - delta;
        return umsim::from_lane(UMSIM_SHFL_UP, mask_, value, self().lane_of(source), file, line);
    }
    /** The value of the thread `delta` ranks above; its own where there is none. */
    template <class T> __device__ T shfl_down(T value, unsigned delta, UMSIM_PLACE) const
    {
        const unsigned rank = self().rank(), source = delta >= self().count() - rank ? rank : rank + delta;
        return umsim::from_lane(UMSIM_SHFL_DOWN, mask_, value, self().lane_of(source), file, line);
    }
    /** Whether the predicate holds for any thread. */
    __device__ int any(int predicate, UMSIM_PLACE) const
    {
        return (int)umsim_warp(UMSIM_ANY, mask_, predicate != 0, 0, file, line);
    }
    /** Whether it holds for all. */
    __device__ int all(int predicate, UMSIM_PLACE) const
    {
        return (int)umsim_warp(UMSIM_ALL, mask_, predicate != 0, 0, file, line);
    }
    /** The ranks for which it holds, as bits. */
    __device__ unsigned ballot(int predicate, UMSIM_PLACE) const
    {
        return self().ranks_of((unsigned)umsim_warp(UMSIM_BALLOT, mask_, predicate != 0, 0, file, line));
    }
    /** The ranks that have this thread's value. */
    template <class T> __device__ unsigned match_any(T value, UMSIM_PLACE) const
    {
        return self().ranks_of(
            (unsigned)umsim_warp(UMSIM_MATCH_ANY, mask_, umsim::to_lanes(value), 0, file, line));
    }
    /** All ranks where all have one value, else 0. */
    template <class T> __device__ unsigned match_all(T value, int &all, UMSIM_PLACE) const
    {
        const unsigned same =
            (unsigned)umsim_warp(UMSIM_MATCH_ALL, mask_, umsim::to_lanes(value), 0, file, line);
        all = same != 0;
        return self().ranks_of(same);
    }
    /** Groups that the parent was cut into. */
    __device__ unsigned meta_group_size() const
    {
        return siblings_;
    }
    /** This group's number among them. */
    __device__ unsigned meta_group_rank() const
    {
        return number_;
    }

  protected:
    __device__ lanes(unsigned mask, unsigned siblings, unsigned number)
        : thread_group(mask), siblings_(siblings), number_(number)
    {
    }
    __device__ const Group &self() const
    {
        return static_cast<const Group &>(*this);
    }
    unsigned siblings_, number_;
};

/* A tile: lanes side by side, a power of two of them. */
template <unsigned Size> class tile : public lanes<tile<Size>>
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, 512 at most");

  public:
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
        return lane() % Size;
    }
    /** The value of the thread whose rank differs in the bits of `ranks`. */
    template <class T> __device__ T shfl_xor(T value, unsigned ranks, UMSIM_PLACE) const
    {
        const unsigned source = rank() ^ ranks;
        return umsim::from_lane(UMSIM_SHFL_XOR, this->mask_, value, lane_of(source < Size ? source : rank()),
                                file, line);
    }

  protected:
    __device__ tile(unsigned siblings, unsigned number) : lanes<tile>(tile_mask(Size), siblings, number)
    {
    }

  private:
    friend class lanes<tile>;
    __device__ static unsigned rank()
    {
        return lane() % Size;
    }
    __device__ static unsigned count()
    {
        return Size;
    }
    __device__ static unsigned wrap(unsigned rank)
    {
        return rank % Size;
    }
    __device__ static unsigned lane_of(unsigned rank)
    {
        return (lane() & (0u - Size)) | rank;
    }
    __device__ static unsigned ranks_of(unsigned lanes)
    {
        return lanes >> (lane() & (0u - Size));
    }
};

} // namespace details
/** @endcond */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
