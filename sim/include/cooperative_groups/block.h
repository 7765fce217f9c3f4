/**
 * @file block.h
 * @brief The thread block as a group. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_BLOCK_H
#define UMSIM_COOPERATIVE_GROUPS_BLOCK_H

#include "group.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** The __shared__ memory that older GPUs need for tiles of more than a warp; not used here. */
template <unsigned _MaxBlockSize = 1024> struct block_tile_memory {
    static_assert(_MaxBlockSize <= 1024, "a block has 1024 threads at most");
    char unused;
};

/** All threads of a block: this_thread_block(). */
class thread_block : public thread_group
{
  public:
    /** Waits as __syncthreads() does. */
    __device__ static void sync(UMSIM_PLACE)
    {
        umsim_syncthreads(__file, __line);
    }
    /** Threads of the block. */
    __device__ static unsigned size()
    {
        return details::block_threads();
    }
    /** Same. */
    __device__ static unsigned num_threads()
    {
        return size();
    }
    /** This thread's rank in the block, x counted fastest. */
    __device__ static unsigned thread_rank()
    {
        return details::block_thread();
    }
    /** blockIdx */
    __device__ static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    /** threadIdx */
    __device__ static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    /** blockDim */
    __device__ static dim3 group_dim()
    {
        return blockDim;
    }
    /** blockDim */
    __device__ static dim3 dim_threads()
    {
        return blockDim;
    }

    /** What barrier_arrive() returns, for barrier_wait(). */
    struct arrival_token {
    };
    /** Arrives at the block's barrier; barrier_wait() waits for the others. In the simulator the arrival,
     * too, happens only in barrier_wait(). */
    __device__ arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    __device__ void barrier_wait(arrival_token &&, UMSIM_PLACE) const
    {
        umsim_syncthreads(__file, __line);
    }

  private:
    __device__ thread_block() : thread_group(0)
    {
    }
    friend struct details::access;
};

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
