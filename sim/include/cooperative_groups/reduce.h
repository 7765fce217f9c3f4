/**
 * @file reduce.h
 * @brief cooperative_groups::reduce(): combines the values of all threads of a tile or coalesced group into
 * one.
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

template <class _Group, class _Tp, class _Operation>
__device__ inline _Tp reduce_lanes(const _Group &__group, _Tp __sum, _Operation &__operation,
                                   const char *__file, int __line)
{
    const unsigned __rank = __group.thread_rank(), __size = __group.size();
    for (unsigned __by = 1; __by < __size; __by *= 2) {
        const _Tp __other = __group.shfl_down(__sum, __by, __file, __line);
        if (__rank + __by < __size)
            __sum = __operation(__sum, __other);
    }
    return __group.shfl(__sum, 0, __file, __line);
}

/* The whole warp that this thread is in. */
__device__ inline thread_block_tile<32, thread_block> own_warp()
{
    return tiled_partition<32>(this_thread_block());
}

template <class _Group, class _Tp, class _Operation>
__device__ inline _Tp reduce_any(const _Group &__group, _Tp __value, _Operation &__operation,
                                 const char *__file, int __line)
{
    return reduce_lanes(__group, __value, __operation, __file, __line);
}
/* Combines the values of each warp, then those of the warps. */
template <unsigned _Size, class _Parent, class _Tp, class _Operation,
          class = typename umsim::only_if<(_Size > 32), _Tp>::type>
__device__ inline _Tp reduce_any(const thread_block_tile<_Size, _Parent> &, _Tp __value,
                                 _Operation &__operation, const char *__file, int __line)
{
    _Tp __sums[_Size / 32];
    wide_tile<_Size>::fetch(reduce_lanes(own_warp(), __value, __operation, __file, __line), __sums,
                            _Size / 32, 0, 32, __file, __line);
    for (unsigned __w = 1; __w < _Size / 32; __w++)
        __sums[0] = __operation(__sums[0], __sums[__w]);
    return __sums[0];
}

/* Updates an atomic. @return its value before */
template <class _AtomicT, class _Tp, class _Operation>
__device__ inline auto update_atomic(_AtomicT &__to, const _Tp &__value, _Operation &__operation) ->
    typename _AtomicT::value_type
{
    typename _AtomicT::value_type __seen = __to.load();
    while (!__to.compare_exchange_weak(__seen, __operation(__seen, __value))) {
    }
    return __seen;
}

} // namespace details
/** @endcond */

/**
 * Combines the values of all threads in the order of their ranks; `__operation` has to be associative.
 * @return the same for every thread of the group
 */
template <class _Group, class _Tp, class _Operation>
__device__ inline auto reduce(const _Group &__group, _Tp __value, _Operation __operation,
                              const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
    -> decltype(__operation(__value, __value))
{
    typedef decltype(__operation(__value, __value)) __result;
    return details::reduce_any(__group, (__result)__value, __operation, __file, __line);
}

/** Combines the result of reduce() with a cuda::atomic. On a GPU that may happen later: wait for the group
 * before reading it. */
template <class _Group, class _AtomicT, class _Tp, class _Operation>
__device__ inline void reduce_update_async(const _Group &__group, _AtomicT &&__to, _Tp __value,
                                           _Operation __operation)
{
    const auto __sum = reduce(__group, __value, __operation);
    if (__group.thread_rank() == 0)
        details::update_atomic(__to, __sum, __operation);
}

/** Stores the result of reduce() in a cuda::atomic, with the same condition. */
template <class _Group, class _AtomicT, class _Tp, class _Operation>
__device__ inline auto reduce_store_async(const _Group &__group, _AtomicT &&__to, _Tp __value,
                                          _Operation __operation) -> decltype(__to.store(__value))
{
    const auto __sum = reduce(__group, __value, __operation);
    if (__group.thread_rank() == 0)
        __to.store(__sum);
}
/** The same for an ordinary variable. */
template <class _Group, class _To, class _Tp, class _Operation>
__device__ inline void reduce_store_async(const _Group &__group, _To *__to, _Tp __value,
                                          _Operation __operation)
{
    const auto __sum = reduce(__group, __value, __operation);
    if (__group.thread_rank() == 0)
        *__to = __sum;
}

} // namespace cooperative_groups

#endif
#endif
