/**
 * @file util_math.cuh
 * @brief cub::DivideAndRoundUp and MidPoint.
 */
#ifndef UMSIM_CUB_UTIL_MATH_CUH
#define UMSIM_CUB_UTIL_MATH_CUH

#include "config.cuh"

namespace cub
{
template <class _Np, class _Dp> __host__ __device__ constexpr _Np DivideAndRoundUp(_Np __n, _Dp __by)
{
    return (_Np)(__n / __by + (__n % __by != 0));
}
template <class _Tp> __host__ __device__ constexpr _Tp MidPoint(_Tp __begin, _Tp __end)
{
    return (_Tp)(__begin + (__end - __begin) / 2);
}
} // namespace cub

#endif
