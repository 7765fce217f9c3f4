/**
 * @file block_shuffle.cuh
 * @brief cub::BlockShuffle: the values of other threads of the block.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_SHUFFLE_CUH
#define UMSIM_CUB_BLOCK_BLOCK_SHUFFLE_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/neighbours.cuh"

namespace cub
{
/** The values of other threads of the block. A thread that has no such neighbour keeps what it had. */
template <class _Tp, int _Xp, int _Yp = 1, int _Zp = 1>
class BlockShuffle
    : public detail::neighbours<BlockShuffle<_Tp, _Xp, _Yp, _Zp>, detail::block_group<_Xp, _Yp, _Zp>, _Tp>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockShuffle::neighbours::neighbours;

    /** The value of the thread `__by` further on. */
    __device__ void Offset(_Tp __in, _Tp &__out, int __by = 1)
    {
        _Tp *const __all = share_one(__in);
        const int __from = group::rank() + __by;
        if (__from >= 0 && __from < group::threads)
            __out = __all[__from];
    }
    /** The same, where the first thread comes after the last. */
    __device__ void Rotate(_Tp __in, _Tp &__out, unsigned __by = 1)
    {
        _Tp *const __all = share_one(__in);
        __out = __all[(group::rank() + __by) % group::threads];
    }
    /** Each item's predecessor, and the block's last item. @{ */
    template <int _Items> __device__ void Up(_Tp (&__items)[_Items], _Tp (&__out)[_Items])
    {
        this->share(__items);
        const _Tp __before = this->last()[group::rank() > 0 ? group::rank() - 1 : 0];
        for (int __i = _Items - 1; __i > 0; __i--)
            __out[__i] = __items[__i - 1];
        if (group::rank() > 0)
            __out[0] = __before;
    }
    template <int _Items> __device__ void Up(_Tp (&__items)[_Items], _Tp (&__out)[_Items], _Tp &__suffix)
    {
        Up(__items, __out);
        __suffix = this->last()[group::threads - 1];
    }
    /** @} */
    /** Each item's successor, and the block's first item. @{ */
    template <int _Items> __device__ void Down(_Tp (&__items)[_Items], _Tp (&__out)[_Items])
    {
        this->share(__items);
        this->each_after(__items, [&](int __i, const _Tp &__other) { __out[__i] = __other; });
    }
    template <int _Items> __device__ void Down(_Tp (&__items)[_Items], _Tp (&__out)[_Items], _Tp &__prefix)
    {
        Down(__items, __out);
        __prefix = this->first()[0];
    }
    /** @} */

  private:
    __device__ _Tp *share_one(const _Tp &__value)
    {
        this->first()[group::rank()] = __value;
        group::sync();
        return this->first();
    }
};
} // namespace cub

#endif
