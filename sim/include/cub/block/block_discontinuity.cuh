/**
 * @file block_discontinuity.cuh
 * @brief cub::BlockDiscontinuity: flags where items differ from their neighbours.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_DISCONTINUITY_CUH
#define UMSIM_CUB_BLOCK_BLOCK_DISCONTINUITY_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/neighbours.cuh"

namespace cub
{
/**
 * Flags a block's items: a head's flag is op(item before, item), a tail's op(item, item after). Without an
 * item outside of the block, its first one is a head and its last one a tail.
 */
template <class _Tp, int _Xp, int _Yp = 1, int _Zp = 1>
class BlockDiscontinuity : public detail::neighbours<BlockDiscontinuity<_Tp, _Xp, _Yp, _Zp>,
                                                     detail::block_group<_Xp, _Yp, _Zp>, _Tp>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockDiscontinuity::neighbours::neighbours;

    /** (flags, items, op), and the item before the block. @{ */
    template <int _Items, class _Flag, class _Fp, class... _Before>
    __device__ void FlagHeads(_Flag (&__heads)[_Items], _Tp (&__items)[_Items], _Fp __op, _Before... __before)
    {
        this->share(__items);
        heads(__heads, __items, __op, (_Tp)__before...);
    }
    template <int _Items, class _Flag, class _Fp, class... _Before>
    __device__ void FlagHeads(_Flag (&__heads)[_Items], _Tp (&__items)[_Items], _Tp (&__befores)[_Items],
                              _Fp __op, _Before... __before)
    {
        FlagHeads(__heads, __items, __op, __before...);
        this->each_before(
            __items, [&](int __i, const _Tp &__other) { __befores[__i] = __other; }, (_Tp)__before...);
    }
    /** @} */
    /** (flags, items, op), and the item after the block. */
    template <int _Items, class _Flag, class _Fp, class... _After>
    __device__ void FlagTails(_Flag (&__tails)[_Items], _Tp (&__items)[_Items], _Fp __op, _After... __after)
    {
        this->share(__items);
        tails(__tails, __items, __op, (_Tp)__after...);
    }
    /** Both; the item before the block stands behind the heads, that after it behind the tails. @{ */
    template <int _Items, class _Flag, class _Fp>
    __device__ void FlagHeadsAndTails(_Flag (&__heads)[_Items], _Flag (&__tails)[_Items],
                                      _Tp (&__items)[_Items], _Fp __op)
    {
        this->share(__items);
        heads(__heads, __items, __op);
        tails(__tails, __items, __op);
    }
    template <int _Items, class _Flag, class _Fp>
    __device__ void FlagHeadsAndTails(_Flag (&__heads)[_Items], _Flag (&__tails)[_Items], _Tp __after,
                                      _Tp (&__items)[_Items], _Fp __op)
    {
        this->share(__items);
        heads(__heads, __items, __op);
        tails(__tails, __items, __op, __after);
    }
    template <int _Items, class _Flag, class _Fp>
    __device__ void FlagHeadsAndTails(_Flag (&__heads)[_Items], _Tp __before, _Flag (&__tails)[_Items],
                                      _Tp (&__items)[_Items], _Fp __op)
    {
        this->share(__items);
        heads(__heads, __items, __op, __before);
        tails(__tails, __items, __op);
    }
    template <int _Items, class _Flag, class _Fp>
    __device__ void FlagHeadsAndTails(_Flag (&__heads)[_Items], _Tp __before, _Flag (&__tails)[_Items],
                                      _Tp __after, _Tp (&__items)[_Items], _Fp __op)
    {
        this->share(__items);
        heads(__heads, __items, __op, __before);
        tails(__tails, __items, __op, __after);
    }
    /** @} */

  private:
    /* An operation may want the second item's number, too. */
    template <class _Fp> __device__ bool flag(_Fp &__op, const _Tp &__a, const _Tp &__b, int __i)
    {
        if constexpr (std::is_invocable_v<_Fp &, const _Tp &, const _Tp &, int>)
            return __op(__a, __b, __i);
        else
            return __op(__a, __b);
    }
    template <int _Items, class _Flag, class _Fp, class... _Before>
    __device__ void heads(_Flag (&__heads)[_Items], _Tp (&__items)[_Items], _Fp __op,
                          const _Before &...__before)
    {
        const int __first = group::rank() * _Items;
        if (__first == 0)
            __heads[0] = 1;
        this->each_before(
            __items,
            [&](int __i, const _Tp &__other) {
                __heads[__i] = flag(__op, __other, __items[__i], __first + __i);
            },
            __before...);
    }
    template <int _Items, class _Flag, class _Fp, class... _After>
    __device__ void tails(_Flag (&__tails)[_Items], _Tp (&__items)[_Items], _Fp __op,
                          const _After &...__after)
    {
        const int __second = group::rank() * _Items + 1;
        if (group::rank() + 1 == group::threads)
            __tails[_Items - 1] = 1;
        this->each_after(
            __items,
            [&](int __i, const _Tp &__other) {
                __tails[__i] = flag(__op, __items[__i], __other, __second + __i);
            },
            __after...);
    }
};
} // namespace cub

#endif
