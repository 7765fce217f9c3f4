/**
 * @file device_radix_sort.cuh
 * @brief cub::DeviceRadixSort: sorts numbers by some of their bits.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_RADIX_SORT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_RADIX_SORT_CUH

#include "../detail/calls.cuh"

namespace cub
{
/**
 * Sorts keys, and values with them; equal ones keep their order. Behind the count stand the first and the end
 * bit and the stream, or a decomposer, which gives a structure's members as a tuple, and the stream. Of a
 * DoubleBuffer the other array gets the result, and becomes the current one.
 */
struct DeviceRadixSort {
    template <class _Kp, class _Np, class... _Order>
    static cudaError_t SortKeys(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out, _Np __n,
                                _Order... __order)
    {
        return keys<false>(__storage, __bytes, __in, __out, __n, __order...);
    }
    template <class _Kp, class _Np, class... _Order>
    static cudaError_t SortKeysDescending(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out,
                                          _Np __n, _Order... __order)
    {
        return keys<true>(__storage, __bytes, __in, __out, __n, __order...);
    }
    template <class _Kp, class _Np, class... _Order>
    static cudaError_t SortKeys(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys, _Np __n,
                                _Order... __order)
    {
        return buffer<false>(__storage, __bytes, __keys, __n, __order...);
    }
    template <class _Kp, class _Np, class... _Order>
    static cudaError_t SortKeysDescending(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                          _Np __n, _Order... __order)
    {
        return buffer<true>(__storage, __bytes, __keys, __n, __order...);
    }
    template <class _Kp, class _Vp, class _Np, class... _Order>
    static cudaError_t SortPairs(void *__storage, std::size_t &__bytes, const _Kp *__keys, _Kp *__keys_out,
                                 const _Vp *__values, _Vp *__values_out, _Np __n, _Order... __order)
    {
        return pairs<false>(__storage, __bytes, __keys, __keys_out, __values, __values_out, __n, __order...);
    }
    template <class _Kp, class _Vp, class _Np, class... _Order>
    static cudaError_t SortPairsDescending(void *__storage, std::size_t &__bytes, const _Kp *__keys,
                                           _Kp *__keys_out, const _Vp *__values, _Vp *__values_out, _Np __n,
                                           _Order... __order)
    {
        return pairs<true>(__storage, __bytes, __keys, __keys_out, __values, __values_out, __n, __order...);
    }
    template <class _Kp, class _Vp, class _Np, class... _Order>
    static cudaError_t SortPairs(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                 DoubleBuffer<_Vp> &__values, _Np __n, _Order... __order)
    {
        return buffers<false>(__storage, __bytes, __keys, __values, __n, __order...);
    }
    template <class _Kp, class _Vp, class _Np, class... _Order>
    static cudaError_t SortPairsDescending(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                                           DoubleBuffer<_Vp> &__values, _Np __n, _Order... __order)
    {
        return buffers<true>(__storage, __bytes, __keys, __values, __n, __order...);
    }

  private:
    template <bool _Descending, class _Kp, class... _Order>
    static cudaError_t keys(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out,
                            detail::index __n, _Order... __more)
    {
        const auto __order = detail::radix_order<_Kp, _Descending>(__more...);
        return detail::with_storage(__storage, __bytes, __order.stream, [&](detail::on_device __s) {
            detail::copy_array(__s, __in, __n, __out);
            thrust::detail::sort_op::go(__s, __out, __out + __n, __order.less);
        });
    }
    template <bool _Descending, class _Kp, class _Vp, class... _Order>
    static cudaError_t pairs(void *__storage, std::size_t &__bytes, const _Kp *__keys, _Kp *__keys_out,
                             const _Vp *__values, _Vp *__values_out, detail::index __n, _Order... __more)
    {
        if constexpr (std::is_same_v<_Vp, NullType>)
            return keys<_Descending>(__storage, __bytes, __keys, __keys_out, __n, __more...);
        const auto __order = detail::radix_order<_Kp, _Descending>(__more...);
        return detail::with_storage(__storage, __bytes, __order.stream, [&](detail::on_device __s) {
            detail::copy_array(__s, __keys, __n, __keys_out);
            detail::copy_array(__s, __values, __n, __values_out);
            thrust::detail::sort_by_key_op::go(__s, __keys_out, __keys_out + __n, __values_out, __order.less);
        });
    }
    template <bool _Descending, class _Kp, class... _Order>
    static cudaError_t buffer(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                              detail::index __n, _Order... __more)
    {
        const cudaError_t __status =
            keys<_Descending>(__storage, __bytes, __keys.Current(), __keys.Alternate(), __n, __more...);
        __keys.selector ^= __storage && __status == cudaSuccess;
        return __status;
    }
    template <bool _Descending, class _Kp, class _Vp, class... _Order>
    static cudaError_t buffers(void *__storage, std::size_t &__bytes, DoubleBuffer<_Kp> &__keys,
                               DoubleBuffer<_Vp> &__values, detail::index __n, _Order... __more)
    {
        const cudaError_t __status =
            pairs<_Descending>(__storage, __bytes, __keys.Current(), __keys.Alternate(), __values.Current(),
                               __values.Alternate(), __n, __more...);
        __keys.selector ^= __storage && __status == cudaSuccess;
        __values.selector ^= __storage && __status == cudaSuccess;
        return __status;
    }
};
} // namespace cub

#endif
