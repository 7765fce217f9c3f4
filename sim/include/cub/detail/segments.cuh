/**
 * @file segments.cuh
 * @brief Sorts of many parts of an array, a thread for each part.
 */
#ifndef UMSIM_CUB_DETAIL_SEGMENTS_CUH
#define UMSIM_CUB_DETAIL_SEGMENTS_CUH

#include "calls.cuh"

namespace cub
{
namespace detail
{
template <class _Kp, class _Vp> struct sorted_item {
    _Kp key;
    _Vp value;
};
template <class _Kp> struct sorted_item<_Kp, NullType> {
    _Kp key;
};

/* Elements outside of all segments are left alone. */
template <class _Kp, class _Vp, class _Bp, class _Ep, class _Cp>
void sort_segments(on_device __s, const _Kp *__keys, _Kp *__keys_out, const _Vp *__values, _Vp *__values_out,
                   index __n, index __segments, _Bp __begins, _Ep __ends, _Cp __less)
{
    using __item = sorted_item<_Kp, _Vp>;
    constexpr bool __pairs = !std::is_same_v<_Vp, NullType>;
    temporary<__item, on_device> __one(__s, __n), __two(__s, __n);
    __item *const __p = __one.get(), *const __q = __two.get();
    auto __begin_at = raw(__begins);
    auto __end_at = raw(__ends);
    const auto __sort = [=](index __segment) mutable {
        const index __begin = __begin_at[__segment], __end = __end_at[__segment];
        if (__end <= __begin)
            return;
        for (index __i = __begin; __i < __end; __i++) {
            __p[__i].key = __keys[__i];
            if constexpr (__pairs)
                __p[__i].value = __values[__i];
        }
        auto __precedes = [=](const __item &__a, const __item &__b) mutable {
            return __less(__a.key, __b.key);
        };
        const __item *const __sorted =
            thrust::detail::sort_alone(__p + __begin, __q + __begin, __end - __begin, __precedes);
        for (index __i = __begin; __i < __end; __i++) {
            __keys_out[__i] = __sorted[__i - __begin].key;
            if constexpr (__pairs)
                __values_out[__i] = __sorted[__i - __begin].value;
        }
    };
    thrust::detail::begin(__s, __segments, __sort, __n, [=](index __count) {
        using thrust::detail::tell;
        tell<false>(__keys, __count);
        tell<true>(__keys_out, __count);
        if constexpr (__pairs) {
            tell<false>(__values, __count);
            tell<true>(__values_out, __count);
        }
    });
    thrust::detail::finish(__s);
}

/* The methods of DeviceSegmentedRadixSort (`_Bits`: they take bits before the stream) and of
 * DeviceSegmentedSort. */
template <bool _Bits> struct segmented_sorts {
    template <class _Kp, class... _More>
    static cudaError_t SortKeys(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out,
                                _More... __more)
    {
        return arrays<false>(__storage, __bytes, __in, __out, (const NullType *)nullptr, (NullType *)nullptr,
                             __more...);
    }
    template <class _Kp, class... _More>
    static cudaError_t SortKeysDescending(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out,
                                          _More... __more)
    {
        return arrays<true>(__storage, __bytes, __in, __out, (const NullType *)nullptr, (NullType *)nullptr,
                            __more...);
    }
    template <class _Kp, class _Vp, class... _More>
    static cudaError_t SortPairs(void *__storage, std::size_t &__bytes, const _Kp *__keys, _Kp *__keys_out,
                                 const _Vp *__values, _Vp *__values_out, _More... __more)
    {
        return arrays<false>(__storage, __bytes, __keys, __keys_out, __values, __values_out, __more...);
    }
    template <class _Kp, class _Vp, class... _More>
    static cudaError_t SortPairsDescending(void *__storage, std::size_t &__bytes, const _Kp *__keys,
                                           _Kp *__keys_out, const _Vp *__values, _Vp *__values_out,
                                           _More... __more)
    {
        return arrays<true>(__storage, __bytes, __keys, __keys_out, __values, __values_out, __more...);
    }
    template <class _Kp, class... _More>
    static cudaError_t SortKeys(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                _More... __more)
    {
        DoubleBuffer<NullType> __none;
        return buffers<false>(__storage, __bytes, __keys, __none, __more...);
    }
    template <class _Kp, class... _More>
    static cudaError_t SortKeysDescending(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                          _More... __more)
    {
        DoubleBuffer<NullType> __none;
        return buffers<true>(__storage, __bytes, __keys, __none, __more...);
    }
    template <class _Kp, class _Vp, class... _More>
    static cudaError_t SortPairs(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                 DoubleBuffer<_Vp> &__values, _More... __more)
    {
        return buffers<false>(__storage, __bytes, __keys, __values, __more...);
    }
    template <class _Kp, class _Vp, class... _More>
    static cudaError_t SortPairsDescending(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                           DoubleBuffer<_Vp> &__values, _More... __more)
    {
        return buffers<true>(__storage, __bytes, __keys, __values, __more...);
    }

  private:
    template <class _Kp, bool _Descending, class... _More> static auto order(_More... __more)
    {
        if constexpr (_Bits)
            return radix_order<_Kp, _Descending>(__more...);
        else
            return radix_order<_Kp, _Descending>(0, sizeof(_Kp) * 8, __more...);
    }
    template <bool _Descending, class _Kp, class _Vp, class _Bp, class _Ep, class... _More>
    static cudaError_t arrays(void *__storage, std::size_t &__bytes, const _Kp *__keys, _Kp *__keys_out,
                              const _Vp *__values, _Vp *__values_out, index __n, index __segments,
                              _Bp __begins, _Ep __ends, _More... __more)
    {
        const auto __order = order<_Kp, _Descending>(__more...);
        return with_storage(__storage, __bytes, __order.stream, [&](on_device __s) {
            sort_segments(__s, __keys, __keys_out, __values, __values_out, __n, __segments, __begins, __ends,
                          __order.less);
        });
    }
    template <bool _Descending, class _Kp, class _Vp, class... _More>
    static cudaError_t buffers(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                               DoubleBuffer<_Vp> &__values, _More... __more)
    {
        const cudaError_t __status =
            arrays<_Descending>(__storage, __bytes, (const _Kp *)__keys.Current(), __keys.Alternate(),
                                (const _Vp *)__values.Current(), __values.Alternate(), __more...);
        __keys.selector ^= __storage && __status == cudaSuccess;
        __values.selector ^= __storage && __status == cudaSuccess;
        return __status;
    }
};
} // namespace detail
} // namespace cub

#endif
