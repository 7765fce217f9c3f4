/**
 * @file handles.h
 * @brief The groups that every thread belongs to, and their methods as functions. Part of
 * cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_HANDLES_H
#define UMSIM_COOPERATIVE_GROUPS_HANDLES_H

#include "block.h"
#include "coalesced.h"
#include "grid.h"
#include "tile.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

struct access {
    template <class _Group, class... _Ap> __device__ static _Group make(_Ap... __arguments)
    {
        return _Group(__arguments...);
    }
    __device__ static unsigned mask(const thread_group &__group)
    {
        return __group.__mask_;
    }
    __device__ static coalesced_group part(const coalesced_group &__group, unsigned __size)
    {
        return __group.part(__size);
    }
};

} // namespace details
/** @endcond */

/**
 * @name Groups that every thread belongs to
 * @{
 */
/** The block that this thread is in. */
__device__ inline thread_block this_thread_block()
{
    return details::access::make<thread_block>();
}
/** The same. Tiles of more than a warp need no memory here. */
template <unsigned _MaxBlockSize>
__device__ inline thread_block this_thread_block(block_tile_memory<_MaxBlockSize> &)
{
    return details::access::make<thread_block>();
}
/** The cluster that this thread is in. */
__device__ inline cluster_group this_cluster()
{
    return details::access::make<cluster_group>();
}
/** The launch that this thread is in. */
__device__ inline grid_group this_grid()
{
    return details::access::make<grid_group>();
}
/** This thread alone. */
__device__ inline thread_block_tile<1> this_thread()
{
    return details::access::make<thread_block_tile<1>>();
}
/** The lanes of the warp that have reached this call. */
__device__ inline __attribute__((__always_inline__)) coalesced_group coalesced_threads()
{
    return details::access::make<coalesced_group>(umsim_activemask());
}
/** @} */

/** @name Methods as functions
 * @{ */
/** Waits for all threads of a group. */
template <class _Group> __device__ inline void sync(const _Group &__group, UMSIM_PLACE)
{
    __group.sync(__file, __line);
}
/** This thread's rank in the group. */
template <class _Group>
__device__ inline auto thread_rank(const _Group &__group) -> decltype(__group.thread_rank())
{
    return __group.thread_rank();
}
/** The number of threads of the group. */
template <class _Group> __device__ inline auto group_size(const _Group &__group) -> decltype(__group.size())
{
    return __group.size();
}
/** @} */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
