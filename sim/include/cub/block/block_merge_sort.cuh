/**
 * @file block_merge_sort.cuh
 * @brief cub::BlockMergeSort: sorts a block's items by a comparison.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_MERGE_SORT_CUH
#define UMSIM_CUB_BLOCK_BLOCK_MERGE_SORT_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/group.cuh"
#include "../thread/thread_sort.cuh"
#include "../util_math.cuh"

namespace cub
{
namespace detail
{
/* (keys, less), (keys, values, less), and behind these the number of valid items, and a key behind all
 * others. */
template <class _Self, class _Gp, class _Kp, class _Vp, int _Items>
class merge_sorter : public with_temporary<_Self, sort_storage<_Kp, _Vp, _Gp::threads * _Items>>
{
    static_assert((_Gp::threads & (_Gp::threads - 1)) == 0,
                  "cub: a merge sort's threads must be a power of two");

  public:
    using merge_sorter::with_temporary::with_temporary;

    template <class _Cp> __device__ void Sort(_Kp (&__keys)[_Items], _Cp __less)
    {
        NullType __none[_Items];
        sort<_Gp>(this->__storage_, __keys, __none, __less);
    }
    template <class _Cp> __device__ void Sort(_Kp (&__keys)[_Items], _Vp (&__values)[_Items], _Cp __less)
    {
        sort<_Gp>(this->__storage_, __keys, __values, __less);
    }
    template <class _Cp> __device__ void Sort(_Kp (&__keys)[_Items], _Cp __less, int __valid, _Kp __last)
    {
        pad(__keys, __valid, __last);
        Sort(__keys, __less);
    }
    template <class _Cp>
    __device__ void Sort(_Kp (&__keys)[_Items], _Vp (&__values)[_Items], _Cp __less, int __valid, _Kp __last)
    {
        pad(__keys, __valid, __last);
        Sort(__keys, __values, __less);
    }
    template <class... _Ap> __device__ void StableSort(_Kp (&__keys)[_Items], _Ap &&...__more)
    {
        Sort(__keys, __more...);
    }

  private:
    __device__ void pad(_Kp (&__keys)[_Items], int __valid, const _Kp &__last)
    {
        for (int __i = 0; __i < _Items; __i++)
            if (_Gp::rank() * _Items + __i >= __valid)
                __keys[__i] = __last;
    }
};
} // namespace detail

/** Sorts a block's items by a comparison; equal ones keep their order. */
template <class _Kp, int _Xp, int _Items, class _Vp = NullType, int _Yp = 1, int _Zp = 1>
class BlockMergeSort : public detail::merge_sorter<BlockMergeSort<_Kp, _Xp, _Items, _Vp, _Yp, _Zp>,
                                                   detail::block_group<_Xp, _Yp, _Zp>, _Kp, _Vp, _Items>
{
  public:
    using BlockMergeSort::merge_sorter::merge_sorter;
};
} // namespace cub

#endif
