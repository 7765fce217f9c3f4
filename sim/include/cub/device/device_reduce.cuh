/**
 * @file device_reduce.cuh
 * @brief cub::DeviceReduce: one value of all elements, or one for each run of equal keys.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_REDUCE_CUH
#define UMSIM_CUB_DEVICE_DEVICE_REDUCE_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Reductions: one value of all elements. */
struct DeviceReduce {
    template <class _Ip, class _Op, class _Np, class _Fp, class _Tp>
    static cudaError_t Reduce(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n, _Fp __op,
                              _Tp __start, cudaStream_t __stream = nullptr)
    {
        return TransformReduce(__storage, __bytes, __in, __out, __n, __op, thrust::identity<>(), __start,
                               __stream);
    }
    /** Of f(element) for each. */
    template <class _Ip, class _Op, class _Np, class _Fp, class _Gp, class _Tp>
    static cudaError_t TransformReduce(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                       _Fp __op, _Gp __f, _Tp __start, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            auto __from = detail::raw(__in);
            using __result = detail::sum_of<_Fp, std::invoke_result_t<_Gp &, detail::value_of<_Ip>>, _Tp>;
            auto __to = detail::raw(__out);
            thrust::detail::reduce_on_device(
                __s, (detail::index)__n,
                [=](detail::index __i) mutable -> __result { return __f(__from[__i]); }, (__result)__start,
                __op, thrust::detail::reading(__from),
                [=](const __result &__sum) mutable { __to[0] = __sum; });
        });
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Sum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                           cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __n, detail::add(),
                      detail::value_or<_Op, detail::value_of<_Ip>>(), __stream);
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Min(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                           cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __n, cub::Min(),
                      detail::largest<detail::value_of<_Ip>>(), __stream);
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Max(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                           cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __n, cub::Max(),
                      detail::lowest<detail::value_of<_Ip>>(), __stream);
    }

    /** The first of the smallest elements, and its place: as a pair, or in two arrays. @{ */
    template <class _Ip, class _Op>
    static cudaError_t ArgMin(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, int __n,
                              cudaStream_t __stream = nullptr)
    {
        return extremum_pair<true>(__storage, __bytes, __in, __out, __n, __stream);
    }
    template <class _Ip, class _Vp, class _Op>
    static cudaError_t ArgMin(void *__storage, std::size_t &__bytes, _Ip __in, _Vp __value, _Op __place,
                              std::int64_t __n, cudaStream_t __stream = nullptr)
    {
        return extremum<true>(__storage, __bytes, __in, __value, __place, __n, __stream);
    }
    /** @} */
    /** The first of the largest elements, and its place: as a pair, or in two arrays. @{ */
    template <class _Ip, class _Op>
    static cudaError_t ArgMax(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, int __n,
                              cudaStream_t __stream = nullptr)
    {
        return extremum_pair<false>(__storage, __bytes, __in, __out, __n, __stream);
    }
    template <class _Ip, class _Vp, class _Op>
    static cudaError_t ArgMax(void *__storage, std::size_t &__bytes, _Ip __in, _Vp __value, _Op __place,
                              std::int64_t __n, cudaStream_t __stream = nullptr)
    {
        return extremum<false>(__storage, __bytes, __in, __value, __place, __n, __stream);
    }
    /** @} */

    /** For each run of equal keys: the key, and the values put together. */
    template <class _Kp, class _Up, class _Vp, class _Ap, class _Mp, class _Fp, class _Np>
    static cudaError_t ReduceByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Up __keys_out,
                                   _Vp __values, _Ap __values_out, _Mp __count, _Fp __op, _Np __n,
                                   cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            const auto __end =
                thrust::detail::reduce_by_key_op::go(__s, __keys, __keys + __n, __values, __keys_out,
                                                     __values_out, thrust::detail::is_equal(), __op);
            detail::put(__s, __count, __end.first - __keys_out);
        });
    }

  private:
    template <bool _Least, class _Ip, class _Fp>
    static cudaError_t find_extremum(void *__storage, std::size_t &__bytes, _Ip __in, detail::index __n,
                                     cudaStream_t __stream, _Fp __put)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Tp = detail::value_of<_Ip>;
            auto __from = detail::raw(__in);
            const _Tp __none = _Least ? detail::largest<_Tp>() : detail::lowest<_Tp>();
            const auto __precedes = [](const _Tp &__a, const _Tp &__b) {
                return _Least ? __a < __b : __b < __a;
            };
            const detail::index __i = __n ? thrust::detail::first_of_least(__s, __in, __n, __precedes) : 1;
            detail::each(__s, 1, [=](detail::index) mutable { __put(__i, __n ? (_Tp)__from[__i] : __none); });
        });
    }
    template <bool _Least, class _Ip, class _Op>
    static cudaError_t extremum_pair(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                                     detail::index __n, cudaStream_t __stream)
    {
        auto __to = detail::raw(__out);
        using _Tp = detail::value_of<_Ip>;
        using __pair = detail::value_or<_Op, KeyValuePair<int, _Tp>>;
        return find_extremum<_Least>(__storage, __bytes, __in, __n, __stream,
                                     [=](detail::index __i, const _Tp &__v) mutable {
                                         __to[0] = __pair((decltype(__pair::key))__i, __v);
                                     });
    }
    template <bool _Least, class _Ip, class _Vp, class _Op>
    static cudaError_t extremum(void *__storage, std::size_t &__bytes, _Ip __in, _Vp __value, _Op __place,
                                detail::index __n, cudaStream_t __stream)
    {
        auto __to_value = detail::raw(__value);
        auto __to_place = detail::raw(__place);
        return find_extremum<_Least>(__storage, __bytes, __in, __n, __stream,
                                     [=](detail::index __i, const detail::value_of<_Ip> &__v) mutable {
                                         __to_value[0] = __v;
                                         __to_place[0] = __i;
                                     });
    }
};
} // namespace cub

#endif
