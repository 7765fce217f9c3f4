/**
 * @file coalesced.h
 * @brief Lanes that have come to the same call, or have something in common. Part of cooperative_groups.h.
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
    /** Number of its threads. */
    __device__ unsigned size() const
    {
        return (unsigned)__popc(mask_);
    }
    /** Same. */
    __device__ unsigned num_threads() const
    {
        return size();
    }
    /** This thread's number in it. */
    __device__ unsigned thread_rank() const
    {
        return rank();
    }

  private:
    friend class details::lanes<coalesced_group>;
    __device__ explicit coalesced_group(unsigned mask, unsigned siblings = 1, unsigned number = 0)
        : details::lanes<coalesced_group>(mask, siblings, number)
    {
    }
    __device__ unsigned rank() const
    {
        return (unsigned)__popc(details::before(mask_));
    }
    __device__ unsigned count() const
    {
        return (unsigned)__popc(mask_);
    }
    __device__ unsigned wrap(unsigned rank) const
    {
        return rank;
    }
    __device__ unsigned lane_of(unsigned rank) const
    {
        return rank < 32 ? __fns(mask_, 0, (int)rank + 1) & 31 : 0;
    }
    __device__ unsigned ranks_of(unsigned lanes) const
    {
        return details::pack(lanes, mask_);
    }
    /* The lanes whose ranks, cut into parts of `size`, are in this thread's part. */
    __device__ coalesced_group part(unsigned size) const
    {
        unsigned mask = 0;
        const unsigned first = rank() / size * size;
        for (unsigned r = first; r < first + size && r < count(); r++)
            mask |= 1u << lane_of(r);
        return coalesced_group(mask, (count() + size - 1) / size, rank() / size);
    }
    friend struct details::access;
};

} // namespace cooperative_groups

#endif
