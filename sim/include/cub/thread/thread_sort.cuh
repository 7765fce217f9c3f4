/**
 * @file thread_sort.cuh
 * @brief cub::StableOddEvenSort: sorts a thread's own arrays.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_SORT_CUH
#define UMSIM_CUB_THREAD_THREAD_SORT_CUH

#include "../detail/group.cuh"

namespace cub
{
/** Sorts `__keys`, and `__values` with them; equal keys keep their order. */
template <class _Kp, class _Vp, class _Cp, int _Items>
__host__ __device__ void StableOddEvenSort(_Kp (&__keys)[_Items], _Vp (&__values)[_Items], _Cp __less)
{
    detail::sort_own(__keys, __values, __less);
}
} // namespace cub

#endif
