/**
 * @file partition.h
 * @brief Groups made from groups: tiles, and threads that have something in common. Part of
 * cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_PARTITION_H
#define UMSIM_COOPERATIVE_GROUPS_PARTITION_H

#include "../cooperative_groups.h"

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @name Parts of a group
 * @{ */
/** Cuts the block into tiles of `Size` threads. */
template <unsigned Size>
__device__ inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return details::access::make<thread_block_tile<Size, thread_block>>(
        (details::block_threads() + Size - 1) / Size, details::block_thread() / Size);
}
/** Cuts a tile into smaller ones. */
template <unsigned Size, unsigned ParentSize, class GrandParent>
__device__ inline thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>
tiled_partition(const thread_block_tile<ParentSize, GrandParent> &)
{
    static_assert(Size <= ParentSize, "a tile's parts are no larger than the tile");
    return details::access::make<thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>>(
        ParentSize / Size, details::block_thread() % ParentSize / Size);
}
/** Cuts a block, or a tile, into tiles of `size` threads: a power of two, up to 32. */
__device__ inline thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    const unsigned mask = details::tile_mask(size), of = details::access::mask(parent);
    return details::access::make<thread_group>(of == 0 ? mask : mask & of);
}
/** Cuts the group into parts of `size` threads that follow each other. */
__device__ inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    return details::access::part(parent, size);
}
/** Those threads of a tile or coalesced group that have the same label. */
template <class Group, class T>
__device__ inline coalesced_group labeled_partition(const Group &group, T label, UMSIM_PLACE)
{
    const unsigned mask = details::access::mask(group);
    const unsigned same = (unsigned)umsim_warp(UMSIM_MATCH_ANY, mask, umsim::to_lanes(label), 0, file, line);
    const unsigned first = same & (0u - same), is_first = details::before(same) == 0;
    const unsigned firsts = (unsigned)umsim_warp(UMSIM_BALLOT, mask, is_first, 0, file, line);
    return details::access::make<coalesced_group>(same, (unsigned)__popc(firsts),
                                                  (unsigned)__popc(firsts & (first - 1)));
}
/** Those for which the predicate holds, or those for which it does not: what is so of this thread. */
template <class Group>
__device__ inline coalesced_group binary_partition(const Group &group, bool predicate, UMSIM_PLACE)
{
    const unsigned mask = details::access::mask(group);
    const unsigned holds = (unsigned)umsim_warp(UMSIM_BALLOT, mask, predicate, 0, file, line);
    return details::access::make<coalesced_group>(predicate ? holds : mask & ~holds, 2u, (unsigned)predicate);
}
/** @} */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
