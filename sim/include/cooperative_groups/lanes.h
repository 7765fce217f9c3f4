/**
 * @file lanes.h
 * @brief What lanes of a warp do together, and tiles of them. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_LANES_H
#define UMSIM_COOPERATIVE_GROUPS_LANES_H

#include "group.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* What lanes of a warp can do together; `_Group` maps ranks to lanes. */
template <class _Group> class lanes : public thread_group
{
  public:
    /** The value that the thread of rank `__source` passes. */
    template <class _Tp> __device__ _Tp shfl(_Tp __value, int __source, UMSIM_PLACE) const
    {
        return umsim::from_lane(UMSIM_SHFL, __mask_, __value, self().lane_of(self().wrap((unsigned)__source)),
                                __file, __line);
    }
    /** The value of the thread `__delta` ranks below; the thread's own if there is none. */
    template <class _Tp> __device__ _Tp shfl_up(_Tp __value, unsigned __delta, UMSIM_PLACE) const
    {
        const unsigned __rank = self().rank(), __source = __delta > __rank ? __rank : __rank - __delta;
        return umsim::from_lane(UMSIM_SHFL_UP, __mask_, __value, self().lane_of(__source), __file, __line);
    }
    /** The value of the thread `__delta` ranks above; the thread's own if there is none. */
    template <class _Tp> __device__ _Tp shfl_down(_Tp __value, unsigned __delta, UMSIM_PLACE) const
    {
        const unsigned __rank = self().rank(),
                       __source = __delta >= self().lane_count() - __rank ? __rank : __rank + __delta;
        return umsim::from_lane(UMSIM_SHFL_DOWN, __mask_, __value, self().lane_of(__source), __file, __line);
    }
    /** Whether the predicate holds for any thread. */
    __device__ int any(int __predicate, UMSIM_PLACE) const
    {
        return (int)umsim_warp(UMSIM_ANY, __mask_, __predicate != 0, 0, __file, __line);
    }
    /** Whether it holds for all. */
    __device__ int all(int __predicate, UMSIM_PLACE) const
    {
        return (int)umsim_warp(UMSIM_ALL, __mask_, __predicate != 0, 0, __file, __line);
    }
    /** The ranks for which it holds, as bits. */
    __device__ unsigned ballot(int __predicate, UMSIM_PLACE) const
    {
        return self().ranks_of(
            (unsigned)umsim_warp(UMSIM_BALLOT, __mask_, __predicate != 0, 0, __file, __line));
    }
    /** The ranks that have this thread's value. */
    template <class _Tp> __device__ unsigned match_any(_Tp __value, UMSIM_PLACE) const
    {
        return self().ranks_of(
            (unsigned)umsim_warp(UMSIM_MATCH_ANY, __mask_, umsim::to_lanes(__value), 0, __file, __line));
    }
    /** All ranks if all have the same value, otherwise 0. */
    template <class _Tp> __device__ unsigned match_all(_Tp __value, int &__all, UMSIM_PLACE) const
    {
        const unsigned __same =
            (unsigned)umsim_warp(UMSIM_MATCH_ALL, __mask_, umsim::to_lanes(__value), 0, __file, __line);
        __all = __same != 0;
        return self().ranks_of(__same);
    }
    /** The number of groups that the parent was divided into. */
    __device__ unsigned meta_group_size() const
    {
        return __siblings_;
    }
    /** This group's rank among them. */
    __device__ unsigned meta_group_rank() const
    {
        return __number_;
    }

  protected:
    __device__ lanes(unsigned __mask, unsigned __siblings, unsigned __number)
        : thread_group(__mask), __siblings_(__siblings), __number_(__number)
    {
    }
    __device__ const _Group &self() const
    {
        return static_cast<const _Group &>(*this);
    }
    unsigned __siblings_, __number_;
};

/* A tile: a power of two of adjacent lanes. */
template <unsigned _Size> class lane_tile : public lanes<lane_tile<_Size>>
{
    static_assert(_Size >= 1 && _Size <= 32 && (_Size & (_Size - 1)) == 0,
                  "a tile has a power of two of threads, 512 at most");

  public:
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
        return lane() % _Size;
    }
    /** The value of the thread whose rank differs in the bits of `__ranks`. */
    template <class _Tp> __device__ _Tp shfl_xor(_Tp __value, unsigned __ranks, UMSIM_PLACE) const
    {
        const unsigned __source = rank() ^ __ranks;
        return umsim::from_lane(UMSIM_SHFL_XOR, this->__mask_, __value,
                                lane_of(__source < _Size ? __source : rank()), __file, __line);
    }

  protected:
    __device__ lane_tile(unsigned __siblings, unsigned __number)
        : lanes<lane_tile>(tile_mask(_Size), __siblings, __number)
    {
    }

  private:
    friend class lanes<lane_tile>;
    __device__ static unsigned rank()
    {
        return lane() % _Size;
    }
    __device__ static unsigned lane_count()
    {
        return _Size;
    }
    __device__ static unsigned wrap(unsigned __rank)
    {
        return __rank % _Size;
    }
    __device__ static unsigned lane_of(unsigned __rank)
    {
        return (lane() & (0u - _Size)) | __rank;
    }
    __device__ static unsigned ranks_of(unsigned __lanes)
    {
        return __lanes >> (lane() & (0u - _Size));
    }
};

} // namespace details
/** @endcond */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
