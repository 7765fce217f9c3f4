/**
 * @file block_radix_sort.cuh
 * @brief cub::BlockRadixSort: sorts a block's numbers by some of their bits.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_RADIX_SORT_CUH
#define UMSIM_CUB_BLOCK_BLOCK_RADIX_SORT_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/group.cuh"
#include "../detail/radix.cuh"
#include "block_exchange.cuh"
#include "block_scan.cuh"

namespace cub
{
/**
 * Sorts a block's keys, and values with them; equal ones keep their order. The methods take (keys), (keys,
 * values), and behind these the first and the end bit, or a decomposer, which gives a structure's members as
 * a tuple.
 */
template <class _Kp, int _Xp, int _Items, class _Vp = NullType, int _RadixBits = 4, bool _Memoize = true,
          BlockScanAlgorithm _Scan = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig _Banks = cudaSharedMemBankSizeFourByte, int _Yp = 1, int _Zp = 1>
class BlockRadixSort
    : public detail::with_temporary<
          BlockRadixSort<_Kp, _Xp, _Items, _Vp, _RadixBits, _Memoize, _Scan, _Banks, _Yp, _Zp>,
          detail::sort_storage<_Kp, _Vp, _Xp * _Yp * _Zp * _Items>>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockRadixSort::with_temporary::with_temporary;

    template <class... _More> __device__ void Sort(_Kp (&__keys)[_Items], _More &&...__more)
    {
        this->template pick<false, false>(__keys, __more...);
    }
    template <class... _More> __device__ void SortDescending(_Kp (&__keys)[_Items], _More &&...__more)
    {
        this->template pick<true, false>(__keys, __more...);
    }
    template <class... _More> __device__ void SortBlockedToStriped(_Kp (&__keys)[_Items], _More &&...__more)
    {
        this->template pick<false, true>(__keys, __more...);
    }
    template <class... _More>
    __device__ void SortDescendingBlockedToStriped(_Kp (&__keys)[_Items], _More &&...__more)
    {
        this->template pick<true, true>(__keys, __more...);
    }

  private:
    template <bool _Descending, bool _Striped, class... _Order>
    __device__ void pick(_Kp (&__keys)[_Items], _Vp (&__values)[_Items], _Order... __order)
    {
        this->template run<_Striped>(__keys, __values, this->template order<_Descending>(__order...));
    }
    template <bool _Descending, bool _Striped, class... _Order>
    __device__ void pick(_Kp (&__keys)[_Items], _Order... __order)
    {
        NullType __none[_Items];
        this->template run<_Striped>(__keys, __none, this->template order<_Descending>(__order...));
    }
    template <bool _Descending> __device__ auto order(int __begin = 0, int __end = sizeof(_Kp) * 8)
    {
        return detail::radix_less<_Kp, _Descending>{__begin, __end};
    }
    template <bool _Descending, class _Dp, class = std::enable_if_t<std::is_invocable_v<_Dp, _Kp &>>>
    __device__ auto order(_Dp __decomposer)
    {
        return detail::decomposed_less<_Kp, _Descending, _Dp>{__decomposer};
    }
    template <bool _Striped, class _Wp, class _Cp>
    __device__ void run(_Kp (&__keys)[_Items], _Wp (&__values)[_Items], _Cp __less)
    {
        detail::sort<group>(this->__storage_, __keys, __values, __less);
        if constexpr (_Striped) {
            stripe(this->__storage_.keys.values(), __keys);
            if constexpr (!std::is_same_v<_Wp, NullType>) {
                group::sync();
                stripe(this->__storage_.values.values(), __values);
            }
        }
    }
    template <class _Tp> __device__ void stripe(_Tp *__s, _Tp (&__items)[_Items])
    {
        detail::exchange<group>(__s, __items, __items, detail::blocked<group, _Items>(),
                                detail::striped<group, _Items>());
    }
};
} // namespace cub

#endif
