/**
 * @file thread_search.cuh
 * @brief Bisections of one thread: LowerBound, UpperBound, MergePathSearch.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_SEARCH_CUH
#define UMSIM_CUB_THREAD_THREAD_SEARCH_CUH

#include "../util_debug.cuh"
#include "../util_type.cuh"

#include "../../thrust/detail/merging.h"
#include "../config.cuh"

namespace cub
{
/** @return the first place in sorted `__a` whose element is not less than `__value` */
template <class _Ip, class _Np, class _Tp> __host__ __device__ _Np LowerBound(_Ip __a, _Np __n, _Tp __value)
{
    return (_Np)thrust::detail::bisect(__n, [&](std::ptrdiff_t __i) { return __a[__i] < __value; });
}
/** @return the first place in sorted `__a` whose element is larger than `__value` */
template <class _Ip, class _Np, class _Tp> __host__ __device__ _Np UpperBound(_Ip __a, _Np __n, _Tp __value)
{
    return (_Np)thrust::detail::bisect(__n, [&](std::ptrdiff_t __i) { return !(__value < __a[__i]); });
}
/** How many of the first `__diagonal` elements of two merged arrays come from the first (x) and the second
 * one (y). */
template <class _Ap, class _Bp, class _Np, class _Coordinate>
__host__ __device__ void MergePathSearch(_Np __diagonal, _Ap __a, _Bp __b, _Np __na, _Np __nb,
                                         _Coordinate &__where)
{
    const _Np __from = __diagonal > __nb ? __diagonal - __nb : 0,
              __to = __diagonal < __na ? __diagonal : __na;
    __where.x = (_Np)(__from + thrust::detail::bisect(__to - __from, [&](std::ptrdiff_t __k) {
                          return !(__b[__diagonal - 1 - __from - __k] < __a[__from + __k]);
                      }));
    __where.y = __diagonal - __where.x;
}
} // namespace cub

#endif
