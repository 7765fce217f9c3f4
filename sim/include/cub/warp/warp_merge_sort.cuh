/**
 * @file warp_merge_sort.cuh
 * @brief cub::WarpMergeSort: sorts a warp's items by a comparison.
 */
#ifndef UMSIM_CUB_WARP_WARP_MERGE_SORT_CUH
#define UMSIM_CUB_WARP_WARP_MERGE_SORT_CUH

#include "../block/block_merge_sort.cuh"

namespace cub
{
/** Sorts the items of a warp, or of a part of one, by a comparison; equal ones keep their order. */
template <class _Kp, int _Items, int _Lanes = 32, class _Vp = NullType>
class WarpMergeSort : public detail::merge_sorter<WarpMergeSort<_Kp, _Items, _Lanes, _Vp>,
                                                  detail::warp_group<_Lanes>, _Kp, _Vp, _Items>
{
  public:
    using WarpMergeSort::merge_sorter::merge_sorter;
};
} // namespace cub

#endif
