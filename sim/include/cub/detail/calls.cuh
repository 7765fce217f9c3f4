/**
 * @file calls.cuh
 * @brief What CUB's algorithms for the whole device, which run on Thrust's kernels, have in common.
 *
 * As in CUB, a call with NULL for the temporary storage returns the size that it needs. That is one byte,
 * because the kernels have storage of their own. Pointers are the device's. A call returns when its work is
 * done, with the result's error code.
 */
#ifndef UMSIM_CUB_DETAIL_CALLS_CUH
#define UMSIM_CUB_DETAIL_CALLS_CUH

#include "../../thrust/detail/sorting.h"
#include "../../thrust/iterator/constant_iterator.h"
#include "../../thrust/iterator/counting_iterator.h"
#include "../thread/thread_operators.cuh"
#include "../util_type.cuh"
#include "brought_by_device.cuh"
#include "radix.cuh"

namespace cub
{
namespace detail
{
using add = std::plus<>;
using thrust::detail::each;
using thrust::detail::index;
using thrust::detail::on_device;
using thrust::detail::on_host;
using thrust::detail::raw;
using thrust::detail::temporary;
using thrust::detail::value_of;

/* The two calls of each function: the first returns the storage's size, the second calls f(stream's system).
 */
template <class _Fp> cudaError_t run(cudaStream_t __stream, _Fp __f)
{
    try {
        __f(on_device{__stream});
        return cudaSuccess;
    } catch (const thrust::system_error &__error) {
        return (cudaError_t)__error.code().value();
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    }
}
template <class _Fp>
cudaError_t with_storage(void *__storage, std::size_t &__bytes, cudaStream_t __stream, _Fp __f)
{
    if (__storage)
        return run(__stream, __f);
    __bytes = 1;
    return cudaSuccess;
}

template <class _Op, class _Tp> void put(on_device __s, _Op __out, _Tp __value)
{
    auto __to = raw(__out);
    each(__s, 1, [=](index) mutable { __to[0] = __value; });
}
template <class _Ip, class _Op> void copy_array(on_device __s, _Ip __in, index __n, _Op __out)
{
    auto __from = raw(__in);
    auto __to = raw(__out);
    each(__s, __n, [=](index __i) mutable { __to[__i] = __from[__i]; });
}

/* The type in which an operation adds up values: not that of the values, where these are small integers. */
template <class _Fp, class _Ap, class _Bp>
using sum_of = std::decay_t<std::invoke_result_t<_Fp &, const _Ap &, const _Bp &>>;
/* The type that an iterator's elements have; those of a discard iterator have none. */
template <class _Op, class _Tp>
using value_or = std::conditional_t<std::is_arithmetic_v<value_of<_Op>> || std::is_class_v<value_of<_Op>>,
                                    value_of<_Op>, _Tp>;

/* The least and the largest of a type's finite numbers. @{ */
template <class _Tp> constexpr bool is_small_float = is_float<_Tp> && sizeof(_Tp) == 2;
template <class _Tp> _Tp from_bits(unsigned short __bits)
{
    _Tp __value;
    __builtin_memcpy((void *)&__value, &__bits, sizeof(_Tp));
    return __value;
}
template <class _Tp> _Tp largest()
{
    if constexpr (is_small_float<_Tp>)
        return from_bits<_Tp>(std::is_same_v<_Tp, __half> ? 0x7bff : 0x7f7f);
    else {
        static_assert(std::numeric_limits<_Tp>::is_specialized,
                      "cub: Min needs a type with std::numeric_limits");
        return std::numeric_limits<_Tp>::max();
    }
}
template <class _Tp> _Tp lowest()
{
    if constexpr (is_small_float<_Tp>)
        return from_bits<_Tp>(std::is_same_v<_Tp, __half> ? 0xfbff : 0xff7f);
    else {
        static_assert(std::numeric_limits<_Tp>::is_specialized,
                      "cub: Max needs a type with std::numeric_limits");
        return std::numeric_limits<_Tp>::lowest();
    }
}
/* @} */

/* What stands behind a sort's other arguments: bits and a stream, or a decomposer and a stream. @{ */
template <class _Less> struct asked_order {
    _Less less;
    cudaStream_t stream;
};
template <class _Kp, bool _Descending>
auto radix_order(int __begin = 0, int __end = sizeof(_Kp) * 8, cudaStream_t __stream = nullptr)
{
    return asked_order<radix_less<_Kp, _Descending>>{{__begin, __end}, __stream};
}
template <class _Kp, bool _Descending, class _Dp, class = std::enable_if_t<std::is_invocable_v<_Dp, _Kp &>>>
auto radix_order(_Dp __decomposer, cudaStream_t __stream = nullptr)
{
    return asked_order<decomposed_less<_Kp, _Descending, _Dp>>{{__decomposer}, __stream};
}
/* @} */

/* A start value that the host has, or the device. @{ */
template <class _Tp> _Tp start_of(on_device, _Tp __start)
{
    return __start;
}
template <class _Tp, class _Ip> _Tp start_of(on_device __s, FutureValue<_Tp, _Ip> __start)
{
    temporary<_Tp, on_device> __copy(__s, 1);
    _Tp *const __p = __copy.get();
    each(__s, 1, [=](index) mutable { *__p = (_Tp)__start; });
    return __copy.read(0);
}
/* @} */
} // namespace detail
} // namespace cub

#endif
