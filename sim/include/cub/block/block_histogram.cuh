/**
 * @file block_histogram.cuh
 * @brief cub::BlockHistogram: how often each value occurs among a block's items.
 */
#ifndef UMSIM_CUB_BLOCK_BLOCK_HISTOGRAM_CUH
#define UMSIM_CUB_BLOCK_BLOCK_HISTOGRAM_CUH

#include "../detail/brought_by_block.cuh"
#include "../detail/group.cuh"
#include "block_discontinuity.cuh"
#include "block_exchange.cuh"
#include "block_radix_sort.cuh"

namespace cub
{
/** By atomic operations, or so that counters may be of any type. */
enum BlockHistogramAlgorithm { BLOCK_HISTO_ATOMIC, BLOCK_HISTO_SORT };

/** Counts a block's items, which are less than `_Bins`, in shared or global memory. */
template <class _Tp, int _Xp, int _Items, int _Bins, BlockHistogramAlgorithm _How = BLOCK_HISTO_SORT,
          int _Yp = 1, int _Zp = 1>
class BlockHistogram
    : public detail::with_temporary<
          BlockHistogram<_Tp, _Xp, _Items, _Bins, _How, _Yp, _Zp>,
          detail::array_storage<_Tp, _How == BLOCK_HISTO_SORT ? _Xp * _Yp * _Zp * _Items : 1>>
{
    using group = detail::block_group<_Xp, _Yp, _Zp>;

  public:
    using BlockHistogram::with_temporary::with_temporary;

    template <class _Counter> __device__ void InitHistogram(_Counter *__bins)
    {
        for (int __i = group::rank(); __i < _Bins; __i += group::threads)
            __bins[__i] = 0;
    }
    /** Sets the counters. */
    template <class _Counter> __device__ void Histogram(_Tp (&__items)[_Items], _Counter *__bins)
    {
        InitHistogram(__bins);
        group::sync();
        Composite(__items, __bins);
    }
    /** Adds to the counters. */
    template <class _Counter> __device__ void Composite(_Tp (&__items)[_Items], _Counter *__bins)
    {
        if constexpr (_How == BLOCK_HISTO_ATOMIC) {
            for (int __i = 0; __i < _Items; __i++)
                atomicAdd(__bins + __items[__i], (_Counter)1);
        } else {
            _Tp *const __all = this->__storage_.values();
            for (int __i = 0; __i < _Items; __i++)
                __all[group::rank() * _Items + __i] = __items[__i];
            group::sync();
            if (group::rank() == 0)
                for (int __i = 0; __i < group::threads * _Items; __i++)
                    __bins[__all[__i]]++;
        }
    }
};
} // namespace cub

#endif
