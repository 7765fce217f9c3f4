/**
 * @file block_reduce.cuh
 * @brief cub::BlockReduce: one value of a block's values.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_REDUCE_CUH
#define UMSIM_CUB_BLOCK_BLOCK_REDUCE_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/group.cuh"
#include "../thread/thread_reduce.cuh"

namespace cub
{
/** Accepted, and the same. */
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

/** Reduces the values of a block's threads to one, which the first thread gets. */
template <class _Tp, int _Xp, BlockReduceAlgorithm _Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int _Yp = 1,
          int _Zp = 1>
class BlockReduce : public detail::with_temporary<BlockReduce<_Tp, _Xp, _Algorithm, _Yp, _Zp>,
                                                  detail::array_storage<_Tp, _Xp * _Yp * _Zp>>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockReduce::with_temporary::with_temporary;

    template <class _Fp> __device__ _Tp Reduce(_Tp __value, _Fp __op, int __valid = group::threads)
    {
        return detail::reduce<group>(this->__storage_.values(), __value, __op, __valid);
    }
    template <int _Items, class _Fp> __device__ _Tp Reduce(_Tp (&__items)[_Items], _Fp __op)
    {
        return Reduce((_Tp)ThreadReduce(__items, __op), __op);
    }
    __device__ _Tp Sum(_Tp __value, int __valid = group::threads)
    {
        return Reduce(__value, detail::add(), __valid);
    }
    template <int _Items> __device__ _Tp Sum(_Tp (&__items)[_Items])
    {
        return Reduce(__items, detail::add());
    }
};
} // namespace cub

#endif
