/**
 * @file cmath.h
 * @brief <cuda/cmath>: integer division that rounds up.
 */
#ifndef UMSIM_CUDA_CMATH_H
#define UMSIM_CUDA_CMATH_H

#include <type_traits>

namespace cuda
{

/** The number of parts of `__size` that cover `__value`: blocks for that many threads. */
template <class _Tp, class _Up> constexpr ::std::common_type_t<_Tp, _Up> ceil_div(_Tp __value, _Up __size)
{
    typedef ::std::common_type_t<_Tp, _Up> __result;
    return (__result)((__result)__value / (__result)__size + ((__result)__value % (__result)__size != 0));
}
/** The next multiple of `__size`. */
template <class _Tp, class _Up> constexpr ::std::common_type_t<_Tp, _Up> round_up(_Tp __value, _Up __size)
{
    return ceil_div(__value, __size) * __size;
}
/** The previous multiple of `__size`. */
template <class _Tp, class _Up> constexpr ::std::common_type_t<_Tp, _Up> round_down(_Tp __value, _Up __size)
{
    return __value / __size * __size;
}

} // namespace cuda

#endif
