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
    result sum = value;
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned by = 1; by < size; by *= 2) {
        const result other = group.shfl_down(sum, by, file, line);
        if (rank + by < size)
            sum = operation(sum, other);
    }
    return group.shfl(sum, 0, file, line);
}

} // namespace cooperative_groups

#endif
#endif
