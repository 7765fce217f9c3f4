/**
 * @file invoke.h
 * @brief invoke_one(): one thread of the group calls a function. Part of cooperative_groups.h.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_INVOKE_H
#define UMSIM_COOPERATIVE_GROUPS_INVOKE_H

#include "handles.h"

namespace cooperative_groups
{

/** Has one thread of the group call the function; the others do not wait for it. CUDA does not say which
 * thread (here: the first). */
template <class _Group, class _Function, class... _Ap>
__device__ inline void invoke_one(const _Group &__group, _Function &&__function, _Ap &&...__arguments)
{
    if (__group.thread_rank() == 0)
        static_cast<_Function &&>(__function)(static_cast<_Ap &&>(__arguments)...);
}

/** The same for a tile or coalesced group. @return the function's result, for all its threads */
template <class _Group, class _Function, class... _Ap>
__device__ inline auto invoke_one_broadcast(const _Group &__group, _Function &&__function,
                                            _Ap &&...__arguments)
    -> decltype(__function(static_cast<_Ap &&>(__arguments)...))
{
    typedef decltype(__function(static_cast<_Ap &&>(__arguments)...)) __result;
    static_assert(!__is_same(__result, void),
                  "invoke_one_broadcast() is for functions that return something");
    alignas(__result) unsigned char __storage[sizeof(__result)] = {};
    __result *__value = reinterpret_cast<__result *>(__storage);
    if (__group.thread_rank() == 0)
        *__value = static_cast<_Function &&>(__function)(static_cast<_Ap &&>(__arguments)...);
    return __group.shfl(*__value, 0);
}

} // namespace cooperative_groups

#endif
