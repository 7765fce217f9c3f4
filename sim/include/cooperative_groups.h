/**
 * @file cooperative_groups.h
 * @brief Groups of threads that do things together: blocks, tiles, the lanes that are here, the grid.
 *
 * The names and their meaning are those of CUDA's cooperative groups. A group is a handle: each of its
 * threads has one, and calls its methods together with the others. What its lanes do together are the warp's
 * own operations (umsim/warp.h), with the same messages where they would wait in vain. In files that umcc
 * compiles.
 *
 * The groups are in cooperative_groups/: block.h, grid.h (and clusters), lanes.h and tile.h, coalesced.h;
 * what makes parts of them in partition.h; one thread for all in invoke.h. Clusters have one block each.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_H
#define UMSIM_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef __UMCC__

/** Programs ask by it whether there is a cluster_group. */
#define _CG_HAS_CLUSTER_GROUP

#include "cooperative_groups/block.h"
#include "cooperative_groups/coalesced.h"
#include "cooperative_groups/grid.h"
#include "cooperative_groups/tile.h"

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

struct access {
    template <class Group, class... A> __device__ static Group make(A... arguments)
    {
        return Group(arguments...);
    }
    __device__ static unsigned mask(const thread_group &group)
    {
        return group.mask_;
    }
    __device__ static coalesced_group part(const coalesced_group &group, unsigned size)
    {
        return group.part(size);
    }
};

} // namespace details
/** @endcond */

/** @name Groups that are there
 * @{ */
/** The block that this thread is in. */
__device__ inline thread_block this_thread_block()
{
    return details::access::make<thread_block>();
}
/** The same; tiles of more than a warp need no memory here. */
template <unsigned MaxBlockSize>
__device__ inline thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return details::access::make<thread_block>();
}
/** The cluster that it is in. */
__device__ inline cluster_group this_cluster()
{
    return details::access::make<cluster_group>();
}
/** The launch that it is in. */
__device__ inline grid_group this_grid()
{
    return details::access::make<grid_group>();
}
/** This thread alone. */
__device__ inline thread_block_tile<1> this_thread()
{
    return details::access::make<thread_block_tile<1>>();
}
/** The lanes of the warp that have come to this call. */
__device__ inline __attribute__((always_inline)) coalesced_group coalesced_threads()
{
    return details::access::make<coalesced_group>(umsim_activemask());
}
/** @} */

/** @name Methods as functions
 * @{ */
/** Waits for all threads of a group. */
template <class Group> __device__ inline void sync(const Group &group, UMSIM_PLACE)
{
    group.sync(file, line);
}
/** This thread's number in it. */
template <class Group> __device__ inline auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
/** Number of its threads. */
template <class Group> __device__ inline auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}
/** @} */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#include "cooperative_groups/invoke.h"
#include "cooperative_groups/partition.h"

#endif /* __UMCC__ */
#endif
