/**
 * @file group.h
 * @brief What all groups have in common, and the group whose kind does not matter. Part of
 * cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_GROUP_H
#define UMSIM_COOPERATIVE_GROUPS_GROUP_H

#include "../cuda_runtime.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* Constructs groups, and reads their members. */
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
__device__ inline unsigned tile_mask(unsigned __size)
{
    return (umsim::full_mask >> (32 - __size)) << (lane() & (0u - __size));
}
/* The lanes of `mask` before this one. */
__device__ inline unsigned before(unsigned __mask)
{
    return __mask & ((1u << lane()) - 1);
}
/* The bits of `lanes` that are in `mask`, side by side. */
__device__ inline unsigned pack(unsigned __lanes, unsigned __mask)
{
    unsigned __packed = 0;
    for (unsigned __rank = 0; __mask != 0; __mask &= __mask - 1, __rank++)
        __packed |= (unsigned)((__lanes & __mask & (0u - __mask)) != 0) << __rank;
    return __packed;
}

} // namespace details
/** @endcond */

/** Any group: the parameter type of functions that work for all of them. */
class thread_group
{
  public:
    /** Waits for all threads of the group. */
    __device__ void sync(UMSIM_PLACE) const
    {
        if (__mask_ == 0)
            umsim_syncthreads(__file, __line);
        else
            umsim_warp(UMSIM_SYNCWARP, __mask_, 0, 0, __file, __line);
    }
    /** The number of its threads. */
    __device__ unsigned long long size() const
    {
        return __mask_ == 0 ? details::block_threads() : __popc(__mask_);
    }
    /** Same. */
    __device__ unsigned long long num_threads() const
    {
        return size();
    }
    /** This thread's rank in it, from 0. */
    __device__ unsigned long long thread_rank() const
    {
        return __mask_ == 0 ? details::block_thread() : __popc(details::before(__mask_));
    }
    /** Whether its threads can wait for each other. */
    __device__ bool is_valid() const
    {
        return true;
    }

  protected:
    __device__ explicit thread_group(unsigned __mask) : __mask_(__mask)
    {
    }
    unsigned __mask_; /* lanes of the warp; 0 is the whole block */
    friend struct details::access;
};

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
