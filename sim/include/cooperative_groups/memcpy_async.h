/**
 * @file memcpy_async.h
 * @brief cooperative_groups::memcpy_async(): a group copies together.
 *
 * Here the copy is made at the call. The group may use the data only after wait(): a program that forgets
 * to wait is as wrong as on a GPU.
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define UMSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#ifdef __UMCC__

namespace cooperative_groups
{

/** Copies `__bytes` bytes; each thread of the group copies its part. */
template <class _Group, class _To, class _From>
__device__ inline void memcpy_async(const _Group &__group, _To *__to, const _From *__from, size_t __bytes)
{
    const size_t __part = (__bytes + __group.size() - 1) / __group.size(),
                 __first = __group.thread_rank() * __part;
    if (__first < __bytes)
        memcpy((char *)__to + __first, (const char *)__from + __first,
               __bytes - __first < __part ? __bytes - __first : __part);
}

/** Copies as many elements as both sides have. */
template <class _Group, class _Tp>
__device__ inline void memcpy_async(const _Group &__group, _Tp *__to, size_t __to_count, const _Tp *__from,
                                    size_t __from_count)
{
    memcpy_async(__group, __to, __from,
                 (__to_count < __from_count ? __to_count : __from_count) * sizeof(_Tp));
}

/** Waits until all copies of the group have been made. */
template <class _Group>
__device__ inline void wait(const _Group &__group, const char *__file = __builtin_FILE(),
                            int __line = __builtin_LINE())
{
    __group.sync(__file, __line);
}

/** Waits until all but the last `_Stages` have been made (here: all). */
template <unsigned _Stages, class _Group>
__device__ inline void wait_prior(const _Group &__group, const char *__file = __builtin_FILE(),
                                  int __line = __builtin_LINE())
{
    __group.sync(__file, __line);
}

} // namespace cooperative_groups

#endif
#endif
