/**
 * @file partition.h
 * @brief Groups made from groups: tiles, and groups of threads that share a value. Part of
 * cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_PARTITION_H
#define UMSIM_COOPERATIVE_GROUPS_PARTITION_H

#include "handles.h"

/** @cond internal */
#define UMSIM_PLACE const char *__file = __builtin_FILE(), int __line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @name Parts of a group
 * @{ */
/** Divides the block into tiles of `_Size` threads. */
template <unsigned _Size>
__device__ inline thread_block_tile<_Size, thread_block> tiled_partition(const thread_block &)
{
    return details::access::make<thread_block_tile<_Size, thread_block>>(
        (details::block_threads() + _Size - 1) / _Size, details::block_thread() / _Size);
}
/** Divides a tile into smaller ones. */
template <unsigned _Size, unsigned _ParentSize, class _GrandParent>
__device__ inline thread_block_tile<_Size, thread_block_tile<_ParentSize, _GrandParent>>
tiled_partition(const thread_block_tile<_ParentSize, _GrandParent> &)
{
    static_assert(_Size <= _ParentSize, "a tile's parts are no larger than the tile");
    return details::access::make<thread_block_tile<_Size, thread_block_tile<_ParentSize, _GrandParent>>>(
        _ParentSize / _Size, details::block_thread() % _ParentSize / _Size);
}
/** Divides a block, or a tile, into tiles of `size` threads: a power of two, up to 32. */
__device__ inline thread_group tiled_partition(const thread_group &__parent, unsigned __size)
{
    const unsigned __mask = details::tile_mask(__size), __of = details::access::mask(__parent);
    return details::access::make<thread_group>(__of == 0 ? __mask : __mask & __of);
}
/** Divides the group into parts of `size` consecutive threads. */
__device__ inline coalesced_group tiled_partition(const coalesced_group &__parent, unsigned __size)
{
    return details::access::part(__parent, __size);
}
/** The threads of a tile or coalesced group that have the same label as this one. */
template <class _Group, class _Tp>
__device__ inline coalesced_group labeled_partition(const _Group &__group, _Tp __label_, UMSIM_PLACE)
{
    const unsigned __mask = details::access::mask(__group);
    const unsigned __same =
        (unsigned)umsim_warp(UMSIM_MATCH_ANY, __mask, umsim::to_lanes(__label_), 0, __file, __line);
    const unsigned __first = __same & (0u - __same), __is_first = details::before(__same) == 0;
    const unsigned __firsts = (unsigned)umsim_warp(UMSIM_BALLOT, __mask, __is_first, 0, __file, __line);
    return details::access::make<coalesced_group>(__same, (unsigned)__popc(__firsts),
                                                  (unsigned)__popc(__firsts & (__first - 1)));
}
/** The threads for which the predicate has the same value as for this one. */
template <class _Group>
__device__ inline coalesced_group binary_partition(const _Group &__group, bool __predicate, UMSIM_PLACE)
{
    const unsigned __mask = details::access::mask(__group);
    const unsigned __holds = (unsigned)umsim_warp(UMSIM_BALLOT, __mask, __predicate, 0, __file, __line);
    return details::access::make<coalesced_group>(__predicate ? __holds : __mask & ~__holds, 2u,
                                                  (unsigned)__predicate);
}
/** @} */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#endif
