/**
 * @file device_run_length_encode.cuh
 * @brief cub::DeviceRunLengthEncode: runs of equal elements.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH
#define UMSIM_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Runs of equal elements. */
struct DeviceRunLengthEncode {
    /** Each run's element and length, and the number of runs. */
    template <class _Ip, class _Op, class _Lp, class _Mp>
    static cudaError_t Encode(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Lp __lengths,
                              _Mp __count, int __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            const auto __end = thrust::detail::reduce_by_key_op::go(
                __s, __in, __in + __n, thrust::constant_iterator<int>(1), __out, __lengths);
            detail::put(__s, __count, __end.first - __out);
        });
    }
    /** Of the runs of more than one element: where they begin, their lengths, and their number. */
    template <class _Ip, class _Op, class _Lp, class _Mp>
    static cudaError_t NonTrivialRuns(void *__storage, std::size_t &__bytes, _Ip __in, _Op __offsets,
                                      _Lp __lengths, _Mp __count, int __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using detail::index;
            auto __from = detail::raw(__in);
            const auto __begins = [=](index __i) { return __i == 0 || !(__from[__i] == __from[__i - 1]); };
            const auto __ends = [=](index __i) {
                return __i == __n - 1 || !(__from[__i] == __from[__i + 1]);
            };
            const thrust::counting_iterator<index> __places(0);
            detail::temporary<index, detail::on_device> __firsts(__s, __n), __lasts(__s, __n);
            index *const __first = __firsts.get(), *const __last = __lasts.get();
            const index __runs = thrust::detail::select(
                __s, __places, __n, __first, [=](index __i) { return __begins(__i) && !__ends(__i); },
                thrust::detail::reading(__from));
            thrust::detail::select(
                __s, __places, __n, __last, [=](index __i) { return !__begins(__i) && __ends(__i); },
                thrust::detail::reading(__from));
            auto __to_offsets = detail::raw(__offsets);
            auto __to_lengths = detail::raw(__lengths);
            detail::each(__s, __runs, [=](index __i) mutable {
                __to_offsets[__i] = __first[__i];
                __to_lengths[__i] = __last[__i] - __first[__i] + 1;
            });
            detail::put(__s, __count, __runs);
        });
    }
};
} // namespace cub

#endif
