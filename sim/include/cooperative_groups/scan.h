/**
 * @file scan.h
 * @brief cooperative_groups::inclusive_scan() and exclusive_scan(): what the threads up to this one have
 * together.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_SCAN_H
#define UMSIM_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"
#include "reduce.h"

#ifdef __UMCC__

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

template <class Group, class T, class Operation>
__device__ inline T scan_lanes(const Group &group, T value, Operation &operation, const char *file, int line)
{
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned by = 1; by < size; by *= 2) {
        const T other = group.shfl_up(value, by, file, line);
        if (rank >= by)
            value = operation(other, value);
    }
    return value;
}

template <class Group, class T, class Operation>
__device__ inline T scan_any(const Group &group, T value, Operation &operation, const char *file, int line)
{
    return scan_lanes(group, value, operation, file, line);
}
/* Each warp, and before it what the warps before have. */
template <unsigned Size, class Parent, class T, class Operation,
          class = typename umsim::only_if<(Size > 32), T>::type>
__device__ inline T scan_any(const thread_block_tile<Size, Parent> &group, T value, Operation &operation,
                             const char *file, int line)
{
    T totals[Size / 32];
    value = scan_lanes(own_warp(), value, operation, file, line);
    wide_tile<Size>::fetch(value, totals, Size / 32, 31, 32, file, line);
    for (unsigned w = group.thread_rank() / 32; w > 0; w--)
        value = operation(totals[w - 1], value);
    return value;
}

/* The value of the rank before; of rank 0 `first`. */
template <class Group, class T>
__device__ inline T from_before(const Group &group, T value, T first, const char *file, int line)
{
    const T before = group.shfl_up(value, 1, file, line);
    return group.thread_rank() == 0 ? first : before;
}
template <unsigned Size, class Parent, class T, class = typename umsim::only_if<(Size > 32), T>::type>
__device__ inline T from_before(const thread_block_tile<Size, Parent> &group, T value, T first,
                                const char *file, int line)
{
    T before;
    wide_tile<Size>::fetch(value, &before, 1, (group.thread_rank() + Size - 1) % Size, 0, file, line);
    return group.thread_rank() == 0 ? first : before;
}

} // namespace details
/** @endcond */

/** The values of ranks 0 to this thread's, combined in their order; `operation` has to be associative. */
template <class Group, class T, class Operation>
__device__ inline T inclusive_scan(const Group &group, T value, Operation operation,
                                   const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    return details::scan_any(group, value, operation, file, line);
}

/** The values of the ranks before this thread's; of rank 0 a T(). */
template <class Group, class T, class Operation>
__device__ inline T exclusive_scan(const Group &group, T value, Operation operation,
                                   const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    return details::from_before(group, inclusive_scan(group, value, operation, file, line), T(), file, line);
}

/** inclusive_scan() by addition. */
template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

/** exclusive_scan() by addition. */
template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

/** inclusive_scan() that goes on from a cuda::atomic, which has the whole sum afterwards: places in a list,
 * say. */
template <class Group, class Atomic, class T, class Operation>
__device__ inline T inclusive_scan_update(const Group &group, Atomic &&to, T value, Operation operation)
{
    const T sum = inclusive_scan(group, value, operation);
    T before = T();
    if (group.thread_rank() + 1 == group.size())
        before = details::update_atomic(to, sum, operation);
    return operation(group.shfl(before, (int)group.size() - 1), sum);
}

/** exclusive_scan(), likewise. */
template <class Group, class Atomic, class T, class Operation>
__device__ inline T exclusive_scan_update(const Group &group, Atomic &&to, T value, Operation operation)
{
    const char *file = __builtin_FILE();
    const T sum = inclusive_scan(group, value, operation);
    T start = T();
    if (group.thread_rank() + 1 == group.size())
        start = details::update_atomic(to, sum, operation);
    start = group.shfl(start, (int)group.size() - 1);
    const T before = details::from_before(group, sum, T(), file, __builtin_LINE());
    return group.thread_rank() == 0 ? start : operation(start, before);
}
/** Both by addition. */
template <class Group, class Atomic, class T>
__device__ inline T inclusive_scan_update(const Group &group, Atomic &&to, T value)
{
    return inclusive_scan_update(group, to, value, plus<T>());
}
template <class Group, class Atomic, class T>
__device__ inline T exclusive_scan_update(const Group &group, Atomic &&to, T value)
{
    return exclusive_scan_update(group, to, value, plus<T>());
}

} // namespace cooperative_groups

#endif
#endif
