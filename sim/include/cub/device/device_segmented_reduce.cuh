/**
 * @file device_segmented_reduce.cuh
 * @brief cub::DeviceSegmentedReduce: one value of each of many parts of an array.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SEGMENTED_REDUCE_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SEGMENTED_REDUCE_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Reductions of the parts [begins[i], ends[i]) of an array, a thread for each. */
struct DeviceSegmentedReduce {
    template <class _Ip, class _Op, class _Bp, class _Ep, class _Fp, class _Tp>
    static cudaError_t Reduce(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                              std::int64_t __segments, _Bp __begins, _Ep __ends, _Fp __op, _Tp __start,
                              cudaStream_t __stream = nullptr)
    {
        using _Sum = detail::sum_of<_Fp, detail::value_of<_Ip>, _Tp>;
        return each_segment(__storage, __bytes, __in, __out, __segments, __begins, __ends, __stream,
                            [=](auto __from, detail::index __begin, detail::index __end) mutable {
                                _Sum __sum = __start;
                                for (detail::index __i = __begin; __i < __end; __i++)
                                    __sum = __op(__sum, (_Sum)__from[__i]);
                                return __sum;
                            });
    }
    template <class _Ip, class _Op, class _Bp, class _Ep>
    static cudaError_t Sum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                           std::int64_t __segments, _Bp __begins, _Ep __ends, cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __segments, __begins, __ends, detail::add(),
                      detail::value_or<_Op, detail::value_of<_Ip>>(), __stream);
    }
    template <class _Ip, class _Op, class _Bp, class _Ep>
    static cudaError_t Min(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                           std::int64_t __segments, _Bp __begins, _Ep __ends, cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __segments, __begins, __ends, cub::Min(),
                      detail::largest<detail::value_of<_Ip>>(), __stream);
    }
    template <class _Ip, class _Op, class _Bp, class _Ep>
    static cudaError_t Max(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                           std::int64_t __segments, _Bp __begins, _Ep __ends, cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __segments, __begins, __ends, cub::Max(),
                      detail::lowest<detail::value_of<_Ip>>(), __stream);
    }
    /** The place in its part, and the value, as a KeyValuePair. @{ */
    template <class _Ip, class _Op, class _Bp, class _Ep>
    static cudaError_t ArgMin(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                              std::int64_t __segments, _Bp __begins, _Ep __ends,
                              cudaStream_t __stream = nullptr)
    {
        using _Tp = detail::value_of<_Ip>;
        return extremum(__storage, __bytes, __in, __out, __segments, __begins, __ends, __stream,
                        detail::largest<_Tp>(), [](const _Tp &__a, const _Tp &__b) { return __a < __b; });
    }
    template <class _Ip, class _Op, class _Bp, class _Ep>
    static cudaError_t ArgMax(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                              std::int64_t __segments, _Bp __begins, _Ep __ends,
                              cudaStream_t __stream = nullptr)
    {
        using _Tp = detail::value_of<_Ip>;
        return extremum(__storage, __bytes, __in, __out, __segments, __begins, __ends, __stream,
                        detail::lowest<_Tp>(), [](const _Tp &__a, const _Tp &__b) { return __b < __a; });
    }
    /** @} */

  private:
    template <class _Ip, class _Op, class _Bp, class _Ep, class _Fp>
    static cudaError_t each_segment(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out,
                                    detail::index __n, _Bp __begins, _Ep __ends, cudaStream_t __stream,
                                    _Fp __f)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            auto __from = detail::raw(__in);
            auto __to = detail::raw(__out);
            auto __begin = detail::raw(__begins);
            auto __end = detail::raw(__ends);
            detail::each(__s, __n, [=](detail::index __i) mutable {
                __to[__i] = __f(__from, (detail::index)__begin[__i], (detail::index)__end[__i]);
            });
        });
    }
    template <class _Ip, class _Op, class _Bp, class _Ep, class _Tp, class _Cp>
    static cudaError_t extremum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, detail::index __n,
                                _Bp __begins, _Ep __ends, cudaStream_t __stream, _Tp __none, _Cp __precedes)
    {
        using __pair = detail::value_or<_Op, KeyValuePair<int, _Tp>>;
        return each_segment(__storage, __bytes, __in, __out, __n, __begins, __ends, __stream,
                            [=](auto __from, detail::index __begin, detail::index __end) mutable {
                                if (__end <= __begin)
                                    return __pair(1, __none);
                                detail::index __best = __begin;
                                for (detail::index __i = __begin + 1; __i < __end; __i++)
                                    if (__precedes(__from[__i], __from[__best]))
                                        __best = __i;
                                return __pair((int)(__best - __begin), __from[__best]);
                            });
    }
};
} // namespace cub

#endif
