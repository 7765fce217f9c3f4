/**
 * @file invoke.h
 * @brief invoke_one(): one thread of the group does it. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_INVOKE_H
#define UMSIM_COOPERATIVE_GROUPS_INVOKE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

/** Has one thread of the group call the function; the others do not wait for it. Which one is not said (here:
 * the first). */
template <class Group, class Function, class... A>
__device__ inline void invoke_one(const Group &group, Function &&function, A &&...arguments)
{
    if (group.thread_rank() == 0)
        static_cast<Function &&>(function)(static_cast<A &&>(arguments)...);
}

/** The same of a tile or coalesced group. @return what the function gave, for all its threads */
template <class Group, class Function, class... A>
__device__ inline auto invoke_one_broadcast(const Group &group, Function &&function, A &&...arguments)
    -> decltype(function(static_cast<A &&>(arguments)...))
{
    typedef decltype(function(static_cast<A &&>(arguments)...)) result;
    static_assert(!__is_same(result, void), "invoke_one_broadcast() is for functions that return something");
    alignas(result) unsigned char room[sizeof(result)] = {};
    result *value = reinterpret_cast<result *>(room);
    if (group.thread_rank() == 0)
        *value = static_cast<Function &&>(function)(static_cast<A &&>(arguments)...);
    return group.shfl(*value, 0);
}

} // namespace cooperative_groups

#endif
