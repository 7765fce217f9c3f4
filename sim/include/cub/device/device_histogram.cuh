/**
 * @file device_histogram.cuh
 * @brief cub::DeviceHistogram: how many samples are in each bin.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_HISTOGRAM_CUH
#define UMSIM_CUB_DEVICE_DEVICE_HISTOGRAM_CUH

#include "../detail/calls.cuh"

#include <array>

namespace cub
{
namespace detail
{
/* Bins of equal width; integers and fractions are rounded as CUB does. @return -1 outside of all bins */
template <class _Tp> struct even_bins {
    _Tp lower, upper;
    int count;
    int operator()(_Tp __sample) const
    {
        if (!(__sample >= lower && __sample < upper))
            return -1;
        if constexpr (std::is_integral_v<_Tp>)
            return (int)((std::uint64_t)(__sample - lower) * (std::uint64_t)count /
                         (std::uint64_t)(upper - lower));
        else
            return (int)((__sample - lower) * (_Tp)((_Tp)count / (_Tp)(upper - lower)));
    }
    bool too_wide() const
    {
        if constexpr (std::is_integral_v<_Tp>)
            return count > 0 && (std::uint64_t)(upper - lower) > UINT64_MAX / (std::uint64_t)count;
        else
            return false;
    }
};
/* Bins between the levels of an array of the device's. */
template <class _Tp> struct bins_between {
    const _Tp *levels;
    int count;
    template <class _Sample> int operator()(_Sample __sample) const
    {
        const index __bin =
            thrust::detail::upper(levels, count + 1, (_Tp)__sample, thrust::detail::is_less()) - 1;
        return __bin < count ? (int)__bin : -1;
    }
};
} // namespace detail

/**
 * Counts samples in bins: even ones, or those between levels; n levels make n - 1 bins. Forms with rows take
 * the samples of each row, and the bytes from row to row. Multi... counts the first `_Active` of `_Channels`
 * interleaved channels, with arrays (or pointers to arrays) of what is each channel's.
 */
struct DeviceHistogram {
    template <class _Ip, class _Counter, class _Level, class _Np>
    static cudaError_t HistogramEven(void *__storage, std::size_t &__bytes, _Ip __samples, _Counter *__bins,
                                     int __levels, _Level __lower, _Level __upper, _Np __n,
                                     cudaStream_t __stream = nullptr)
    {
        return HistogramEven(__storage, __bytes, __samples, __bins, __levels, __lower, __upper, __n, (_Np)1,
                             (std::size_t)0, __stream);
    }
    template <class _Ip, class _Counter, class _Level, class _Np>
    static cudaError_t HistogramEven(void *__storage, std::size_t &__bytes, _Ip __samples, _Counter *__bins,
                                     int __levels, _Level __lower, _Level __upper, _Np __n, _Np __rows,
                                     std::size_t __stride, cudaStream_t __stream = nullptr)
    {
        return MultiHistogramEven<1, 1>(__storage, __bytes, __samples, &__bins, &__levels, &__lower, &__upper,
                                        __n, __rows, __stride, __stream);
    }
    template <class _Ip, class _Counter, class _Level, class _Np>
    static cudaError_t HistogramRange(void *__storage, std::size_t &__bytes, _Ip __samples, _Counter *__bins,
                                      int __levels, const _Level *__level, _Np __n,
                                      cudaStream_t __stream = nullptr)
    {
        return HistogramRange(__storage, __bytes, __samples, __bins, __levels, __level, __n, (_Np)1,
                              (std::size_t)0, __stream);
    }
    template <class _Ip, class _Counter, class _Level, class _Np>
    static cudaError_t HistogramRange(void *__storage, std::size_t &__bytes, _Ip __samples, _Counter *__bins,
                                      int __levels, const _Level *__level, _Np __n, _Np __rows,
                                      std::size_t __stride, cudaStream_t __stream = nullptr)
    {
        return MultiHistogramRange<1, 1>(__storage, __bytes, __samples, &__bins, &__levels, &__level, __n,
                                         __rows, __stride, __stream);
    }
    template <int _Channels, int _Active, class _Ip, class _Bins, class _Counts, class _Levels, class _Np>
    static cudaError_t MultiHistogramEven(void *__storage, std::size_t &__bytes, _Ip __samples, _Bins __bins,
                                          _Counts __levels, _Levels __lower, _Levels __upper, _Np __n,
                                          cudaStream_t __stream = nullptr)
    {
        return MultiHistogramEven<_Channels, _Active>(__storage, __bytes, __samples, __bins, __levels,
                                                      __lower, __upper, __n, (_Np)1, (std::size_t)0,
                                                      __stream);
    }
    template <int _Channels, int _Active, class _Ip, class _Bins, class _Counts, class _Levels, class _Np>
    static cudaError_t MultiHistogramEven(void *__storage, std::size_t &__bytes, _Ip __samples, _Bins __bins,
                                          _Counts __levels, _Levels __lower, _Levels __upper, _Np __n,
                                          _Np __rows, std::size_t __stride, cudaStream_t __stream = nullptr)
    {
        using _Tp = std::common_type_t<std::decay_t<decltype(__lower[0])>, detail::value_of<_Ip>>;
        std::array<detail::even_bins<_Tp>, _Active> __places;
        for (int __c = 0; __c < _Active; __c++) {
            __places[__c] = {(_Tp)__lower[__c], (_Tp)__upper[__c], __levels[__c] - 1};
            if (__places[__c].too_wide())
                return cudaErrorInvalidValue;
        }
        return count<_Channels, _Active>(__storage, __bytes, __samples, __bins, __places, __n, __rows,
                                         __stride, __stream);
    }
    template <int _Channels, int _Active, class _Ip, class _Bins, class _Counts, class _Levels, class _Np>
    static cudaError_t MultiHistogramRange(void *__storage, std::size_t &__bytes, _Ip __samples, _Bins __bins,
                                           _Counts __levels, _Levels __level, _Np __n,
                                           cudaStream_t __stream = nullptr)
    {
        return MultiHistogramRange<_Channels, _Active>(__storage, __bytes, __samples, __bins, __levels,
                                                       __level, __n, (_Np)1, (std::size_t)0, __stream);
    }
    template <int _Channels, int _Active, class _Ip, class _Bins, class _Counts, class _Levels, class _Np>
    static cudaError_t MultiHistogramRange(void *__storage, std::size_t &__bytes, _Ip __samples, _Bins __bins,
                                           _Counts __levels, _Levels __level, _Np __n, _Np __rows,
                                           std::size_t __stride, cudaStream_t __stream = nullptr)
    {
        using _Tp = std::remove_cv_t<std::remove_pointer_t<std::decay_t<decltype(__level[0])>>>;
        std::array<detail::bins_between<_Tp>, _Active> __places;
        for (int __c = 0; __c < _Active; __c++)
            __places[__c] = {__level[__c], __levels[__c] - 1};
        return count<_Channels, _Active>(__storage, __bytes, __samples, __bins, __places, __n, __rows,
                                         __stride, __stream);
    }

  private:
    template <class _Counter> static void add_one(_Counter *__p)
    {
        if constexpr (std::is_integral_v<_Counter> && sizeof(_Counter) == 8)
            atomicAdd((unsigned long long *)__p, 1ull);
        else
            atomicAdd(__p, (_Counter)1);
    }
    template <int _Channels, int _Active, class _Ip, class _Bins, class _Places>
    static cudaError_t count(void *__storage, std::size_t &__bytes, _Ip __samples, _Bins __bins,
                             _Places __places, detail::index __n, detail::index __rows, std::size_t __stride,
                             cudaStream_t __stream)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            using detail::index;
            std::array<std::decay_t<decltype(__bins[0])>, _Active> __counters;
            for (int __c = 0; __c < _Active; __c++) {
                const auto __p = __counters[__c] = __bins[__c];
                detail::each(__s, __places[__c].count, [=](index __i) { __p[__i] = 0; });
            }
            auto __from = detail::raw(__samples);
            const index __row = (index)(__stride / sizeof(detail::value_of<_Ip>));
            detail::each(__s, __n * __rows, [=](index __i) mutable {
                const index __at = __i / __n * __row + __i % __n * _Channels;
                for (int __c = 0; __c < _Active; __c++) {
                    const int __bin = __places[__c](__from[__at + __c]);
                    if (__bin >= 0)
                        add_one(__counters[__c] + __bin);
                }
            });
        });
    }
};
} // namespace cub

#endif
