/**
 * @file thread_scan.cuh
 * @brief Prefix sums of a thread's own array.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_SCAN_CUH
#define UMSIM_CUB_THREAD_THREAD_SCAN_CUH

#include "../config.cuh"
#include "thread_operators.cuh"

namespace cub
{
/** @cond internal The names are NVIDIA's, which has them in cub::detail (CUDA 12: cub::internal). */
namespace detail
{
/* The elements up to and with each one, behind `__prefix` where `__apply`. @return the last */
template <int _Items, class _Tp, class _Fp>
__host__ __device__ _Tp ThreadScanInclusive(const _Tp *__in, _Tp *__out, _Fp __op, _Tp __prefix,
                                            bool __apply = true)
{
    _Tp __sum = __apply ? (_Tp)__op(__prefix, __in[0]) : __in[0];
    __out[0] = __sum;
    for (int __i = 1; __i < _Items; __i++)
        __out[__i] = __sum = __op(__sum, __in[__i]);
    return __sum;
}
template <int _Items, class _Tp, class _Fp>
__host__ __device__ _Tp ThreadScanInclusive(const _Tp *__in, _Tp *__out, _Fp __op)
{
    return ThreadScanInclusive<_Items>(__in, __out, __op, __in[0], false);
}
template <int _Items, class _Tp, class _Fp, class... _More>
__host__ __device__ _Tp ThreadScanInclusive(_Tp (&__in)[_Items], _Tp (&__out)[_Items], _Fp __op,
                                            _More... __more)
{
    return ThreadScanInclusive<_Items>((const _Tp *)__in, (_Tp *)__out, __op, __more...);
}
/* The elements before each one, behind `__prefix`. @return all */
template <int _Items, class _Tp, class _Fp>
__host__ __device__ _Tp ThreadScanExclusive(const _Tp *__in, _Tp *__out, _Fp __op, _Tp __prefix,
                                            bool __apply = true)
{
    _Tp __sum = __in[0];
    if (__apply) {
        __sum = __op(__prefix, __in[0]);
        __out[0] = __prefix;
    }
    for (int __i = 1; __i < _Items; __i++) {
        const _Tp __next = __op(__sum, __in[__i]);
        __out[__i] = __sum;
        __sum = __next;
    }
    return __sum;
}
template <int _Items, class _Tp, class _Fp, class... _More>
__host__ __device__ _Tp ThreadScanExclusive(_Tp (&__in)[_Items], _Tp (&__out)[_Items], _Fp __op,
                                            _More... __more)
{
    return ThreadScanExclusive<_Items>((const _Tp *)__in, (_Tp *)__out, __op, __more...);
}
} // namespace detail
namespace internal
{
using detail::ThreadScanExclusive;
using detail::ThreadScanInclusive;
} // namespace internal
/** @endcond */
} // namespace cub

#endif
