/**
 * @file device_merge_sort.cuh
 * @brief cub::DeviceMergeSort: sorts by a comparison.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_MERGE_SORT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_MERGE_SORT_CUH

#include "../detail/calls.cuh"

namespace cub
{
/** Sorts by a comparison, in place or (...Copy) into another array. Every sort is stable. */
struct DeviceMergeSort {
    template <class _Kp, class _Np, class _Cp>
    static cudaError_t SortKeys(void *__storage, std::size_t &__bytes, _Kp __keys, _Np __n, _Cp __less,
                                cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            thrust::detail::sort_op::go(__s, __keys, __keys + __n, __less);
        });
    }
    template <class _Kp, class _Vp, class _Np, class _Cp>
    static cudaError_t SortPairs(void *__storage, std::size_t &__bytes, _Kp __keys, _Vp __values, _Np __n,
                                 _Cp __less, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            thrust::detail::sort_by_key_op::go(__s, __keys, __keys + __n, __values, __less);
        });
    }
    template <class _Ip, class _Kp, class _Np, class _Cp>
    static cudaError_t SortKeysCopy(void *__storage, std::size_t &__bytes, _Ip __in, _Kp __out, _Np __n,
                                    _Cp __less, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            detail::copy_array(__s, __in, __n, __out);
            thrust::detail::sort_op::go(__s, __out, __out + __n, __less);
        });
    }
    template <class _Ip, class _Jp, class _Kp, class _Vp, class _Np, class _Cp>
    static cudaError_t SortPairsCopy(void *__storage, std::size_t &__bytes, _Ip __keys, _Jp __values,
                                     _Kp __keys_out, _Vp __values_out, _Np __n, _Cp __less,
                                     cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, __stream, [&](detail::on_device __s) {
            detail::copy_array(__s, __keys, __n, __keys_out);
            detail::copy_array(__s, __values, __n, __values_out);
            thrust::detail::sort_by_key_op::go(__s, __keys_out, __keys_out + __n, __values_out, __less);
        });
    }
    template <class... _Ap>
    static cudaError_t StableSortKeys(void *__storage, std::size_t &__bytes, _Ap... __a)
    {
        return SortKeys(__storage, __bytes, __a...);
    }
    template <class... _Ap>
    static cudaError_t StableSortPairs(void *__storage, std::size_t &__bytes, _Ap... __a)
    {
        return SortPairs(__storage, __bytes, __a...);
    }
    template <class... _Ap>
    static cudaError_t StableSortKeysCopy(void *__storage, std::size_t &__bytes, _Ap... __a)
    {
        return SortKeysCopy(__storage, __bytes, __a...);
    }
};
} // namespace cub

#endif
