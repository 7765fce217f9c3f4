/**
 * @file coalesced.h
 * @brief Groups of the lanes that have reached the same call, or that share a value. Part of
 * cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_COALESCED_H
#define UMSIM_COOPERATIVE_GROUPS_COALESCED_H

#include "lanes.h"

namespace cooperative_groups
{

/** Some lanes of a warp: coalesced_threads(), labeled_partition(), binary_partition(). Ranks follow the
 * lanes. */
class coalesced_group : public details::lanes<coalesced_group>
{
  public:
    /** The number of its threads. */
    __device__ unsigned size() const
    {
        return (unsigned)__popc(__mask_);
    }
    /** Same. */
    __device__ unsigned num_threads() const
    {
        return size();
    }
    /** This thread's rank in it. */
    __device__ unsigned thread_rank() const
    {
        return rank();
    }

  private:
    friend class details::lanes<coalesced_group>;
    __device__ explicit coalesced_group(unsigned __mask, unsigned __siblings = 1, unsigned __number = 0)
        : details::lanes<coalesced_group>(__mask, __siblings, __number)
    {
    }
    __device__ unsigned rank() const
    {
        return (unsigned)__popc(details::before(__mask_));
    }
    __device__ unsigned lane_count() const
    {
        return (unsigned)__popc(__mask_);
    }
    __device__ unsigned wrap(unsigned __rank) const
    {
        return __rank;
    }
    __device__ unsigned lane_of(unsigned __rank) const
    {
        return __rank < 32 ? __fns(__mask_, 0, (int)__rank + 1) & 31 : 0;
    }
    __device__ unsigned ranks_of(unsigned __lanes) const
    {
        return details::pack(__lanes, __mask_);
    }
    /* The lanes whose ranks are in the same part of `size` ranks as this thread's. */
    __device__ coalesced_group part(unsigned __size) const
    {
        unsigned __mask = 0;
        const unsigned __first = rank() / __size * __size;
        for (unsigned __r = __first; __r < __first + __size && __r < lane_count(); __r++)
            __mask |= 1u << lane_of(__r);
        return coalesced_group(__mask, (lane_count() + __size - 1) / __size, rank() / __size);
    }
    friend struct details::access;
};

} // namespace cooperative_groups

#endif
