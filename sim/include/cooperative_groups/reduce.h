/**
 * @file reduce.h
 * @brief cooperative_groups::reduce(): one value from those of a tile's or coalesced group's threads.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_REDUCE_H
#define UMSIM_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"
#include "operators.h"

#ifdef __UMCC__

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

template <class Group, class T, class Operation>
__device__ inline T reduce_lanes(const Group &group, T sum, Operation &operation, const char *file, int line)
{
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned by = 1; by < size; by *= 2) {
        const T other = group.shfl_down(sum, by, file, line);
        if (rank + by < size)
            sum = operation(sum, other);
    }
    return group.shfl(sum, 0, file, line);
}

/* The whole warp that this thread is in. */
__device__ inline thread_block_tile<32, thread_block> own_warp()
{
    return tiled_partition<32>(this_thread_block());
}

template <class Group, class T, class Operation>
__device__ inline T reduce_any(const Group &group, T value, Operation &operation, const char *file, int line)
{
    return reduce_lanes(group, value, operation, file, line);
}
/* Each warp, then the warps. */
template <unsigned Size, class Parent, class T, class Operation,
          class = typename umsim::only_if<(Size > 32), T>::type>
__device__ inline T reduce_any(const thread_block_tile<Size, Parent> &, T value, Operation &operation,
                               const char *file, int line)
{
    T sums[Size / 32];
    wide_tile<Size>::fetch(reduce_lanes(own_warp(), value, operation, file, line), sums, Size / 32, 0, 32,
                           file, line);
    for (unsigned w = 1; w < Size / 32; w++)
        sums[0] = operation(sums[0], sums[w]);
    return sums[0];
}

/* Changes an atomic. @return its value before */
template <class Atomic, class T, class Operation>
__device__ inline auto update_atomic(Atomic &to, const T &value, Operation &operation) ->
    typename Atomic::value_type
{
    typename Atomic::value_type seen = to.load();
    while (!to.compare_exchange_weak(seen, operation(seen, value))) {
    }
    return seen;
}

} // namespace details
/** @endcond */

/**
 * Combines the values of all threads in the order of their ranks; `operation` has to be associative.
 * @return the same for every thread of the group
 */
template <class Group, class T, class Operation>
__device__ inline auto reduce(const Group &group, T value, Operation operation,
                              const char *file = __builtin_FILE(), int line = __builtin_LINE())
    -> decltype(operation(value, value))
{
    typedef decltype(operation(value, value)) result;
    return details::reduce_any(group, (result)value, operation, file, line);
}

/** Combines what reduce() gives with a cuda::atomic. On a GPU that may be later: wait for the group before it
 * is read. */
template <class Group, class Atomic, class T, class Operation>
__device__ inline void reduce_update_async(const Group &group, Atomic &&to, T value, Operation operation)
{
    const auto sum = reduce(group, value, operation);
    if (group.thread_rank() == 0)
        details::update_atomic(to, sum, operation);
}

/** Stores what reduce() gives to a cuda::atomic, likewise. */
template <class Group, class Atomic, class T, class Operation>
__device__ inline auto reduce_store_async(const Group &group, Atomic &&to, T value, Operation operation)
    -> decltype(to.store(value))
{
    const auto sum = reduce(group, value, operation);
    if (group.thread_rank() == 0)
        to.store(sum);
}
/** ... or to a variable. */
template <class Group, class To, class T, class Operation>
__device__ inline void reduce_store_async(const Group &group, To *to, T value, Operation operation)
{
    const auto sum = reduce(group, value, operation);
    if (group.thread_rank() == 0)
        *to = sum;
}

} // namespace cooperative_groups

#endif
#endif
