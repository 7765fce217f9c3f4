/**
 * @file scan.h
 * @brief cooperative_groups::inclusive_scan() and exclusive_scan(): what the threads up to this one have together.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_SCAN_H
#define UMSIM_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"
#include "operators.h"

#ifdef __UMCC__

namespace cooperative_groups
{

/** The values of ranks 0 to this thread's, combined in their order; `operation` has to be associative. */
template <class Group, class T, class Operation>
__device__ inline T inclusive_scan(const Group &group, T value, Operation operation,
                                   const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned by = 1; by < size; by *= 2) {
        const T other = group.shfl_up(value, by, file, line);
        if (rank >= by)
            value = operation(other, value);
    }
    return value;
}

/** The values of the ranks before this thread's; of rank 0 a T(). */
template <class Group, class T, class Operation>
__device__ inline T exclusive_scan(const Group &group, T value, Operation operation,
                                   const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    const T before = group.shfl_up(inclusive_scan(group, value, operation, file, line), 1, file, line);
    return group.thread_rank() == 0 ? T() : before;
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

} // namespace cooperative_groups

#endif
#endif
