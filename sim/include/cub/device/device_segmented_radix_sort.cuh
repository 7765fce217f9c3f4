/**
 * @file device_segmented_radix_sort.cuh
 * @brief cub::DeviceSegmentedRadixSort: sorts many parts of an array by some of their bits.
 */
#ifndef UMSIM_CUB_DEVICE_DEVICE_SEGMENTED_RADIX_SORT_CUH
#define UMSIM_CUB_DEVICE_DEVICE_SEGMENTED_RADIX_SORT_CUH

#include "../detail/segments.cuh"

namespace cub
{
/**
 * Sorts the parts [begins[i], ends[i]) of an array of numbers. Arguments are those of DeviceRadixSort, with
 * the number of parts and the offsets behind the count.
 */
struct DeviceSegmentedRadixSort : detail::segmented_sorts<true> {
};
} // namespace cub

#endif
