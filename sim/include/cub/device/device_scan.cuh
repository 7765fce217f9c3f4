/**
 * @file device_scan.cuh
 * @brief cub::DeviceScan: prefix sums, of all elements or of each run of equal keys.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SCAN_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SCAN_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Prefix sums. A form with one array works in place. A start value may be a FutureValue. */
struct DeviceScan {
    template <class _Np> using count = std::enable_if_t<std::is_integral_v<_Np>, int>;

    template <class _Ip, class _Op, class _Fp, class _Np, count<_Np> = 0>
    static cudaError_t InclusiveScan(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Fp __op,
                                     _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Tp = detail::sum_of<_Fp, detail::value_of<_Ip>, detail::value_of<_Ip>>;
            auto __from = detail::raw(__in);
            thrust::detail::scan_all<_Tp>(
                __s, __n, [=](detail::index __i) mutable -> _Tp { return __from[__i]; }, writer(__out), __op,
                thrust::detail::reading(__from), thrust::detail::writing(__out));
        });
    }
    template <class _Ip, class _Fp, class _Np, count<_Np> = 0>
    static cudaError_t InclusiveScan(void *__storage, std::size_t &__bytes, _Ip __data, _Fp __op, _Np __n,
                                     cudaStream_t __stream = nullptr)
    {
        return InclusiveScan(__storage, __bytes, __data, __data, __op, __n, __stream);
    }
    template <class _Ip, class _Op, class _Fp, class _Tp, class _Np>
    static cudaError_t InclusiveScanInit(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Fp __op,
                                         _Tp __start, _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Sum = detail::sum_of<_Fp, _Tp, detail::value_of<_Ip>>;
            auto __from = detail::raw(__in);
            thrust::detail::scan_all<_Sum>(
                __s, __n,
                [=](detail::index __i) mutable -> _Sum {
                    return __i == 0 ? (_Sum)__op((_Sum)__start, (_Sum)__from[0]) : (_Sum)__from[__i];
                },
                writer(__out), __op, thrust::detail::reading(__from), thrust::detail::writing(__out));
        });
    }
    template <class _Ip, class _Op, class _Fp, class _Tp, class _Np, count<_Np> = 0>
    static cudaError_t ExclusiveScan(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Fp __op,
                                     _Tp __start, _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            const auto __first = detail::start_of(__s, __start);
            using _Sum = detail::sum_of<_Fp, decltype(__first), detail::value_of<_Ip>>;
            auto __from = detail::raw(__in);
            thrust::detail::scan_before<_Sum>(
                __s, __n, [=](detail::index __i) mutable -> _Sum { return __from[__i]; }, writer(__out),
                (_Sum)__first, __op, thrust::detail::reading(__from), thrust::detail::writing(__out));
        });
    }
    template <class _Ip, class _Fp, class _Tp, class _Np, count<_Np> = 0>
    static cudaError_t ExclusiveScan(void *__storage, std::size_t &__bytes, _Ip __data, _Fp __op, _Tp __start,
                                     _Np __n, cudaStream_t __stream = nullptr)
    {
        return ExclusiveScan(__storage, __bytes, __data, __data, __op, __start, __n, __stream);
    }
    template <class _Ip, class _Op, class _Np, count<_Np> = 0>
    static cudaError_t InclusiveSum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                    cudaStream_t __stream = nullptr)
    {
        return InclusiveScan(__storage, __bytes, __in, __out, detail::add(), __n, __stream);
    }
    template <class _Ip, class _Np, count<_Np> = 0>
    static cudaError_t InclusiveSum(void *__storage, std::size_t &__bytes, _Ip __data, _Np __n,
                                    cudaStream_t __stream = nullptr)
    {
        return InclusiveSum(__storage, __bytes, __data, __data, __n, __stream);
    }
    template <class _Ip, class _Op, class _Np, count<_Np> = 0>
    static cudaError_t ExclusiveSum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                    cudaStream_t __stream = nullptr)
    {
        return ExclusiveScan(__storage, __bytes, __in, __out, detail::add(), detail::value_of<_Ip>(), __n,
                             __stream);
    }
    template <class _Ip, class _Np, count<_Np> = 0>
    static cudaError_t ExclusiveSum(void *__storage, std::size_t &__bytes, _Ip __data, _Np __n,
                                    cudaStream_t __stream = nullptr)
    {
        return ExclusiveSum(__storage, __bytes, __data, __data, __n, __stream);
    }

    /** In each run of equal keys. @{ */
    template <class _Kp, class _Ip, class _Op, class _Fp, class _Np, class _Ep = thrust::detail::is_equal>
    static cudaError_t InclusiveScanByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Ip __values,
                                          _Op __out, _Fp __op, _Np __n, _Ep __same = _Ep(),
                                          cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            thrust::detail::inclusive_scan_by_key_op::go(__s, __keys, __keys + __n, __values, __out, __same,
                                                         __op);
        });
    }
    template <class _Kp, class _Ip, class _Op, class _Fp, class _Tp, class _Np,
              class _Ep = thrust::detail::is_equal>
    static cudaError_t ExclusiveScanByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Ip __values,
                                          _Op __out, _Fp __op, _Tp __start, _Np __n, _Ep __same = _Ep(),
                                          cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using _Sum = detail::sum_of<_Fp, _Tp, detail::value_of<_Ip>>;
            thrust::detail::exclusive_scan_by_key_op::go(__s, __keys, __keys + __n, __values, __out,
                                                         (_Sum)__start, __same, __op);
        });
    }
    template <class _Kp, class _Ip, class _Op, class _Np, class _Ep = thrust::detail::is_equal>
    static cudaError_t InclusiveSumByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Ip __values,
                                         _Op __out, _Np __n, _Ep __same = _Ep(),
                                         cudaStream_t __stream = nullptr)
    {
        return InclusiveScanByKey(__storage, __bytes, __keys, __values, __out, detail::add(), __n, __same,
                                  __stream);
    }
    template <class _Kp, class _Ip, class _Op, class _Np, class _Ep = thrust::detail::is_equal>
    static cudaError_t ExclusiveSumByKey(void *__storage, std::size_t &__bytes, _Kp __keys, _Ip __values,
                                         _Op __out, _Np __n, _Ep __same = _Ep(),
                                         cudaStream_t __stream = nullptr)
    {
        return ExclusiveScanByKey(__storage, __bytes, __keys, __values, __out, detail::add(),
                                  detail::value_of<_Ip>(), __n, __same, __stream);
    }
    /** @} */

  private:
    template <class _Op> static auto writer(_Op __out)
    {
        auto __to = detail::raw(__out);
        return [=](detail::index __i, const auto &__v) mutable { __to[__i] = __v; };
    }
};
} // namespace cub

#endif
