/**
 * @file device_segmented_sort.cuh
 * @brief cub::DeviceSegmentedSort: sorts many parts of an array.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SEGMENTED_SORT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SEGMENTED_SORT_CUH

#include "../detail/segments.cuh"
#include "device_partition.cuh"

namespace cub
{
/** Sorts the parts [begins[i], ends[i]) of an array of numbers. Every sort is stable. */
struct DeviceSegmentedSort : detail::segmented_sorts<false> {
    template <class... _Ap>
    static cudaError_t StableSortKeys(void *__storage, std::size_t &__bytes, _Ap &&...__a)
    {
        return SortKeys(__storage, __bytes, __a...);
    }
    template <class... _Ap>
    static cudaError_t StableSortKeysDescending(void *__storage, std::size_t &__bytes, _Ap &&...__a)
    {
        return SortKeysDescending(__storage, __bytes, __a...);
    }
    template <class... _Ap>
    static cudaError_t StableSortPairs(void *__storage, std::size_t &__bytes, _Ap &&...__a)
    {
        return SortPairs(__storage, __bytes, __a...);
    }
    template <class... _Ap>
    static cudaError_t StableSortPairsDescending(void *__storage, std::size_t &__bytes, _Ap &&...__a)
    {
        return SortPairsDescending(__storage, __bytes, __a...);
    }
};
} // namespace cub

#endif
