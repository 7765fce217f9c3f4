/**
 * @file grid.h
 * @brief The grid, and clusters of blocks. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_GRID_H
#define UMSIM_COOPERATIVE_GROUPS_GRID_H

#include "group.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** All threads of a launch: this_grid(). */
class grid_group
{
  public:
    /** Waits for all threads of the grid. Needs cudaLaunchCooperativeKernel(). */
    __device__ void sync(UMSIM_PLACE) const
    {
        umsim_grid_sync(__file, __line);
    }
    /** Whether sync() can be called: after a cooperative launch. */
    __device__ bool is_valid() const
    {
        return umsim_grid_is_cooperative() != 0;
    }
    /** Threads of the grid. */
    __device__ static unsigned long long size()
    {
        return details::grid_blocks() * details::block_threads();
    }
    /** Same. */
    __device__ static unsigned long long num_threads()
    {
        return size();
    }
    /** This thread's rank in the grid. */
    __device__ static unsigned long long thread_rank()
    {
        return details::grid_block() * details::block_threads() + details::block_thread();
    }
    /** Blocks of the grid. */
    __device__ static unsigned long long num_blocks()
    {
        return details::grid_blocks();
    }
    /** This block's rank in the grid, x counted fastest. */
    __device__ static unsigned long long block_rank()
    {
        return details::grid_block();
    }
    /** blockIdx */
    __device__ static dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    /** gridDim */
    __device__ static dim3 group_dim()
    {
        return gridDim;
    }
    /** gridDim */
    __device__ static dim3 dim_blocks()
    {
        return gridDim;
    }

    /**
     * @name Clusters, of one block each
     * @{
     */
    __device__ static unsigned long long num_clusters()
    {
        return details::grid_blocks();
    }
    __device__ static unsigned long long cluster_rank()
    {
        return details::grid_block();
    }
    __device__ static dim3 cluster_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    __device__ static dim3 dim_clusters()
    {
        return gridDim;
    }
    /** @} */

    /** What barrier_arrive() returns, for barrier_wait(). */
    struct arrival_token {
    };
    /** Arrives at the grid's barrier; barrier_wait() waits for the others. In the simulator the arrival, too,
     * happens only in barrier_wait(). */
    __device__ arrival_token barrier_arrive() const
    {
        return arrival_token();
    }
    __device__ void barrier_wait(arrival_token &&, UMSIM_PLACE) const
    {
        umsim_grid_sync(__file, __line);
    }

  private:
    __device__ grid_group()
    {
    }
    friend struct details::access;
};

/**
 * The blocks that a GPU of compute capability 9 or later runs side by side: this_cluster(). A launch that
 * does not ask for clusters has clusters of one block. So has every launch here, because umcc refuses
 * __cluster_dims__ of more than one.
 */
class cluster_group
{
  public:
    /** What barrier_arrive() returns, for barrier_wait(). */
    struct arrival_token {
    };
    /** Waits for all threads of the cluster. */
    __device__ static void sync(UMSIM_PLACE)
    {
        umsim_syncthreads(__file, __line);
    }
    __device__ static arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    __device__ static void barrier_wait(UMSIM_PLACE)
    {
        umsim_syncthreads(__file, __line);
    }
    __device__ static void barrier_wait(arrival_token &&, UMSIM_PLACE)
    {
        umsim_syncthreads(__file, __line);
    }
    /** The rank of the block whose __shared__ memory the address is in. */
    __device__ static unsigned query_shared_rank(const void *)
    {
        return 0;
    }
    /** The same variable in the __shared__ memory of block `rank`. */
    template <class _Tp> __device__ static _Tp *map_shared_rank(_Tp *__address, int)
    {
        return __address;
    }
    /** The position of the block in the cluster, and its rank. */
    __device__ static dim3 block_index()
    {
        return dim3(0, 0, 0);
    }
    __device__ static unsigned block_rank()
    {
        return 0;
    }
    /** The position of the thread in the cluster, and its rank. */
    __device__ static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    __device__ static unsigned thread_rank()
    {
        return details::block_thread();
    }
    /** Blocks of the cluster. */
    __device__ static dim3 dim_blocks()
    {
        return dim3(1, 1, 1);
    }
    __device__ static unsigned num_blocks()
    {
        return 1;
    }
    /** Threads of the cluster. */
    __device__ static dim3 dim_threads()
    {
        return blockDim;
    }
    __device__ static unsigned num_threads()
    {
        return details::block_threads();
    }
    __device__ static unsigned size()
    {
        return num_threads();
    }

  private:
    __device__ cluster_group()
    {
    }
    friend struct details::access;
};

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
