/**
 * @file group.h
 * @brief What all groups have in common, and the group whose kind does not matter. Part of
 * cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_GROUP_H
#define UMSIM_COOPERATIVE_GROUPS_GROUP_H

#include "../cuda_runtime.h"

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* Makes groups, and looks into them. */
struct access;

__device__ inline unsigned block_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline unsigned block_thread()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned lane()
{
    return block_thread() % 32;
}
__device__ inline unsigned long long grid_blocks()
{
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
__device__ inline unsigned long long grid_block()
{
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
/* The tile of `size` lanes that this thread is in. */
__device__ inline unsigned tile_mask(unsigned size)
{
    return (umsim::full_mask >> (32 - size)) << (lane() & (0u - size));
}
/* The lanes of `mask` before this one. */
__device__ inline unsigned before(unsigned mask)
{
    return mask & ((1u << lane()) - 1);
}
/* The bits of `lanes` that are in `mask`, side by side. */
__device__ inline unsigned pack(unsigned lanes, unsigned mask)
{
    unsigned packed = 0;
    for (unsigned rank = 0; mask != 0; mask &= mask - 1, rank++)
        packed |= (unsigned)((lanes & mask & (0u - mask)) != 0) << rank;
    return packed;
}

} // namespace details
/** @endcond */

/** Any group: what functions take that work for all of them. */
class thread_group
{
  public:
    /** Waits for all threads of the group. */
    __device__ void sync(UMSIM_PLACE) const
    {
        if (mask_ == 0)
            umsim_syncthreads(file, line);
        else
            umsim_warp(UMSIM_SYNCWARP, mask_, 0, 0, file, line);
    }
    /** Number of its threads. */
    __device__ unsigned long long size() const
    {
        return mask_ == 0 ? details::block_threads() : __popc(mask_);
    }
    /** Same. */
    __device__ unsigned long long num_threads() const
    {
        return size();
    }
    /** This thread's number in it, from 0. */
    __device__ unsigned long long thread_rank() const
    {
        return mask_ == 0 ? details::block_thread() : __popc(details::before(mask_));
    }
    /** Whether its threads can wait for each other. */
    __device__ bool is_valid() const
    {
        return true;
    }

  protected:
    __device__ explicit thread_group(unsigned mask) : mask_(mask)
    {
    }
    unsigned mask_; /* lanes of the warp; 0 is the whole block */
    friend struct details::access;
};

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
