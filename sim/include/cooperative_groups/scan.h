/**
 * @file scan.h
 * @brief cooperative_groups::inclusive_scan() and exclusive_scan(): combine the values of the threads up to
 * this one.
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

template <class _Group, class _Tp, class _Operation>
__device__ inline _Tp scan_lanes(const _Group &__group, _Tp __value, _Operation &__operation,
                                 const char *__file, int __line)
{
    const unsigned __rank = __group.thread_rank(), __size = __group.size();
    for (unsigned __by = 1; __by < __size; __by *= 2) {
        const _Tp __other = __group.shfl_up(__value, __by, __file, __line);
        if (__rank >= __by)
            __value = __operation(__other, __value);
    }
    return __value;
}

template <class _Group, class _Tp, class _Operation>
__device__ inline _Tp scan_any(const _Group &__group, _Tp __value, _Operation &__operation,
                               const char *__file, int __line)
{
    return scan_lanes(__group, __value, __operation, __file, __line);
}
/* Combines the values of each warp, after the combined values of the warps before it. */
template <unsigned _Size, class _Parent, class _Tp, class _Operation,
          class = typename umsim::only_if<(_Size > 32), _Tp>::type>
__device__ inline _Tp scan_any(const thread_block_tile<_Size, _Parent> &__group, _Tp __value,
                               _Operation &__operation, const char *__file, int __line)
{
    _Tp __totals[_Size / 32];
    __value = scan_lanes(own_warp(), __value, __operation, __file, __line);
    wide_tile<_Size>::fetch(__value, __totals, _Size / 32, 31, 32, __file, __line);
    for (unsigned __w = __group.thread_rank() / 32; __w > 0; __w--)
        __value = __operation(__totals[__w - 1], __value);
    return __value;
}

/* The value of the previous rank; `__first` for rank 0. */
template <class _Group, class _Tp>
__device__ inline _Tp from_before(const _Group &__group, _Tp __value, _Tp __first, const char *__file,
                                  int __line)
{
    const _Tp __before = __group.shfl_up(__value, 1, __file, __line);
    return __group.thread_rank() == 0 ? __first : __before;
}
template <unsigned _Size, class _Parent, class _Tp, class = typename umsim::only_if<(_Size > 32), _Tp>::type>
__device__ inline _Tp from_before(const thread_block_tile<_Size, _Parent> &__group, _Tp __value, _Tp __first,
                                  const char *__file, int __line)
{
    _Tp __before;
    wide_tile<_Size>::fetch(__value, &__before, 1, (__group.thread_rank() + _Size - 1) % _Size, 0, __file,
                            __line);
    return __group.thread_rank() == 0 ? __first : __before;
}

} // namespace details
/** @endcond */

/** Combines the values of ranks 0 to this thread's, in their order; `__operation` has to be associative. */
template <class _Group, class _Tp, class _Operation>
__device__ inline _Tp inclusive_scan(const _Group &__group, _Tp __value, _Operation __operation,
                                     const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
{
    return details::scan_any(__group, __value, __operation, __file, __line);
}

/** Combines the values of the ranks before this thread's; T() for rank 0. */
template <class _Group, class _Tp, class _Operation>
__device__ inline _Tp exclusive_scan(const _Group &__group, _Tp __value, _Operation __operation,
                                     const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
{
    return details::from_before(__group, inclusive_scan(__group, __value, __operation, __file, __line), _Tp(),
                                __file, __line);
}

/** inclusive_scan() by addition. */
template <class _Group, class _Tp> __device__ inline _Tp inclusive_scan(const _Group &__group, _Tp __value)
{
    return inclusive_scan(__group, __value, plus<_Tp>());
}

/** exclusive_scan() by addition. */
template <class _Group, class _Tp> __device__ inline _Tp exclusive_scan(const _Group &__group, _Tp __value)
{
    return exclusive_scan(__group, __value, plus<_Tp>());
}

/** inclusive_scan() that starts from the value of a cuda::atomic, which then holds the whole sum: for places
 * in a list, for example. */
template <class _Group, class _AtomicT, class _Tp, class _Operation>
__device__ inline _Tp inclusive_scan_update(const _Group &__group, _AtomicT &&__to, _Tp __value,
                                            _Operation __operation)
{
    const _Tp __sum = inclusive_scan(__group, __value, __operation);
    _Tp __before = _Tp();
    if (__group.thread_rank() + 1 == __group.size())
        __before = details::update_atomic(__to, __sum, __operation);
    return __operation(__group.shfl(__before, (int)__group.size() - 1), __sum);
}

/** The same for exclusive_scan(). */
template <class _Group, class _AtomicT, class _Tp, class _Operation>
__device__ inline _Tp exclusive_scan_update(const _Group &__group, _AtomicT &&__to, _Tp __value,
                                            _Operation __operation)
{
    const char *__file = __builtin_FILE();
    const _Tp __sum = inclusive_scan(__group, __value, __operation);
    _Tp __start = _Tp();
    if (__group.thread_rank() + 1 == __group.size())
        __start = details::update_atomic(__to, __sum, __operation);
    __start = __group.shfl(__start, (int)__group.size() - 1);
    const _Tp __before = details::from_before(__group, __sum, _Tp(), __file, __builtin_LINE());
    return __group.thread_rank() == 0 ? __start : __operation(__start, __before);
}
/** Both by addition. */
template <class _Group, class _AtomicT, class _Tp>
__device__ inline _Tp inclusive_scan_update(const _Group &__group, _AtomicT &&__to, _Tp __value)
{
    return inclusive_scan_update(__group, __to, __value, plus<_Tp>());
}
template <class _Group, class _AtomicT, class _Tp>
__device__ inline _Tp exclusive_scan_update(const _Group &__group, _AtomicT &&__to, _Tp __value)
{
    return exclusive_scan_update(__group, __to, __value, plus<_Tp>());
}

} // namespace cooperative_groups

#endif
#endif
