/**
 * @file block_adjacent_difference.cuh
 * @brief cub::BlockAdjacentDifference: what items differ by from their neighbours.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_ADJACENT_DIFFERENCE_CUH
#define UMSIM_CUB_BLOCK_BLOCK_ADJACENT_DIFFERENCE_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/neighbours.cuh"

namespace cub
{
/**
 * op(item, item before), or op(item, item after), of a block's items. An item without such a neighbour is
 * copied, as are the items from the valid ones' end on. Input and output may be the same.
 */
template <class _Tp, int _Xp, int _Yp = 1, int _Zp = 1>
class BlockAdjacentDifference : public detail::neighbours<BlockAdjacentDifference<_Tp, _Xp, _Yp, _Zp>,
                                                          detail::block_group<_Xp, _Yp, _Zp>, _Tp>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockAdjacentDifference::neighbours::neighbours;

    /** (items, results, op), and the item before the block. */
    template <int _Items, class _Op, class _Fp, class... _Before>
    __device__ void SubtractLeft(_Tp (&__items)[_Items], _Op (&__out)[_Items], _Fp __op, _Before... __before)
    {
        SubtractLeftPartialTile(__items, __out, __op, group::threads * _Items, __before...);
    }
    template <int _Items, class _Op, class _Fp, class... _Before>
    __device__ void SubtractLeftPartialTile(_Tp (&__items)[_Items], _Op (&__out)[_Items], _Fp __op,
                                            int __valid, _Before... __before)
    {
        left_or_right<true>(__items, __out, __op, __valid, (_Tp)__before...);
    }
    /** (items, results, op), and the item after the block. */
    template <int _Items, class _Op, class _Fp, class... _After>
    __device__ void SubtractRight(_Tp (&__items)[_Items], _Op (&__out)[_Items], _Fp __op, _After... __after)
    {
        const int __all = group::threads * _Items;
        left_or_right<false>(__items, __out, __op, __all, (_Tp)__after...);
    }
    template <int _Items, class _Op, class _Fp>
    __device__ void SubtractRightPartialTile(_Tp (&__items)[_Items], _Op (&__out)[_Items], _Fp __op,
                                             int __valid)
    {
        left_or_right<false>(__items, __out, __op, __valid - 1);
    }

  private:
    template <bool _Left, int _Items, class _Op, class _Fp, class... _Outside>
    __device__ void left_or_right(_Tp (&__items)[_Items], _Op (&__out)[_Items], _Fp __op, int __valid,
                                  const _Outside &...__outside)
    {
        this->share(__items);
        _Tp __in[_Items];
        for (int __i = 0; __i < _Items; __i++)
            __in[__i] = __items[__i];
        for (int __i = 0; __i < _Items; __i++)
            __out[__i] = __in[__i];
        const auto __put = [&](int __i, const _Tp &__other) {
            if (group::rank() * _Items + __i < __valid)
                __out[__i] = __op(__in[__i], __other);
        };
        if constexpr (_Left)
            this->each_before(__in, __put, __outside...);
        else
            this->each_after(__in, __put, __outside...);
    }
};
} // namespace cub

#endif
