/**
 * @file util_ptx.cuh
 * @brief CUB's names for a thread's place, for barriers, shuffles and bits.
 */
#ifndef UMSIM_CUB_UTIL_PTX_CUH
#define UMSIM_CUB_UTIL_PTX_CUH

#include "util_type.cuh"

namespace cub
{
/** @return the thread's number in a block of these extents */
__device__ inline int RowMajorTid(int __x, int __y, int __z)
{
    return (__z == 1 ? 0 : (int)threadIdx.z * __x * __y) + (__y == 1 ? 0 : (int)threadIdx.y * __x) +
           (int)threadIdx.x;
}

namespace detail
{
__device__ inline unsigned in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/* The lanes of part `__part` of a warp that is divided into parts of `_Lanes`. */
template <int _Lanes> __host__ __device__ constexpr unsigned part_mask(unsigned __part)
{
    return _Lanes == 32 ? ~0u : ((1u << _Lanes % 32) - 1) << __part * _Lanes;
}
} // namespace detail

__device__ inline unsigned LaneId()
{
    return detail::in_block() % 32;
}
__device__ inline unsigned WarpId()
{
    return detail::in_block() / 32;
}
template <int _Lanes> __host__ __device__ unsigned WarpMask(unsigned __part)
{
    return detail::part_mask<_Lanes>(__part);
}
/** @name Of CUDA 12's CUB @{ */
__device__ inline unsigned LaneMaskLt()
{
    return (1u << LaneId()) - 1;
}
__device__ inline unsigned LaneMaskLe()
{
    return (2u << LaneId()) - 1;
}
__device__ inline unsigned LaneMaskGt()
{
    return ~LaneMaskLe();
}
__device__ inline unsigned LaneMaskGe()
{
    return ~LaneMaskLt();
}
__device__ inline void CTA_SYNC()
{
    __syncthreads();
}
__device__ inline int CTA_SYNC_AND(int __p)
{
    return __syncthreads_and(__p);
}
__device__ inline int CTA_SYNC_OR(int __p)
{
    return __syncthreads_or(__p);
}
__device__ inline void WARP_SYNC(unsigned __mask)
{
    __syncwarp(__mask);
}
__device__ inline int WARP_ANY(int __p, unsigned __mask)
{
    return __any_sync(__mask, __p);
}
__device__ inline int WARP_ALL(int __p, unsigned __mask)
{
    return __all_sync(__mask, __p);
}
__device__ inline unsigned WARP_BALLOT(int __p, unsigned __mask)
{
    return __ballot_sync(__mask, __p);
}
/** @} */

/** @return `__count` bits of `__source`, from bit `__start` */
template <class _Tp> __host__ __device__ unsigned BFE(_Tp __source, unsigned __start, unsigned __count)
{
    return (unsigned)(((unsigned long long)__source >> __start) & ((1ull << __count) - 1));
}

namespace detail
{
/* A shuffle of any type, a word at a time; `__take` shuffles one. */
template <class _Tp, class _Fp> __device__ _Tp shuffle(const _Tp &__in, _Fp __take)
{
    constexpr int __count = (sizeof(_Tp) + 3) / 4;
    unsigned __words[__count] = {};
    __builtin_memcpy(__words, &__in, sizeof(_Tp));
    for (int __i = 0; __i < __count; __i++)
        __words[__i] = __take(__words[__i]);
    _Tp __out = __in;
    __builtin_memcpy((void *)&__out, __words, sizeof(_Tp));
    return __out;
}
} // namespace detail

/** The value of the lane `__by` below; where that is below `__first`, the own one. */
template <int _Lanes, class _Tp> __device__ _Tp ShuffleUp(_Tp __in, int __by, int __first, unsigned __mask)
{
    const int __lane = LaneId(), __from = __lane % _Lanes - __by < __first ? __lane : __lane - __by;
    return detail::shuffle(__in, [=](unsigned __w) { return __shfl_sync(__mask, __w, __from); });
}
/** The value of the lane `__by` above; where that is above `__last`, the own one. */
template <int _Lanes, class _Tp> __device__ _Tp ShuffleDown(_Tp __in, int __by, int __last, unsigned __mask)
{
    const int __lane = LaneId(), __from = __lane % _Lanes + __by > __last ? __lane : __lane + __by;
    return detail::shuffle(__in, [=](unsigned __w) { return __shfl_sync(__mask, __w, __from); });
}
template <int _Lanes, class _Tp> __device__ _Tp ShuffleIndex(_Tp __in, int __from, unsigned __mask)
{
    return detail::shuffle(__in, [=](unsigned __w) { return __shfl_sync(__mask, __w, __from, _Lanes); });
}
/** @return the lanes whose lowest `_Bits` of `__label` are this one's */
template <int _Bits, int _Active = 32> __device__ unsigned MatchAny(unsigned __label)
{
    const unsigned __all = _Active == 32 ? ~0u : (1u << _Active % 32) - 1;
    return __match_any_sync(__all, _Bits >= 32 ? __label : __label & ((1u << _Bits % 32) - 1));
}
} // namespace cub

#endif
