/**
 * @file block_algorithms.cuh
 * @brief CUB's algorithms for a block and for a warp: BlockReduce, BlockScan, WarpReduce, WarpScan.
 *
 * Values go through the shared storage that the caller provides, and the first thread adds them up in
 * order. As in CUB, the caller needs a barrier between two uses of the same storage.
 */
#ifndef UMSIM_CUB_BLOCK_ALGORITHMS_H
#define UMSIM_CUB_BLOCK_ALGORITHMS_H

#include "../device/device_algorithms.cuh"

namespace cub
{
/** @name Accepted, and the same @{ */
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
/** @} */

namespace detail
{
/* One value for each thread. */
template <class _Tp, int _Threads> struct exchange_storage {
    alignas(_Tp) unsigned char bytes[sizeof(_Tp) * _Threads];
    __device__ _Tp *values()
    {
        return (_Tp *)bytes;
    }
};
} // namespace detail

/** Reduces the values of a block's threads to one, which the first thread gets. */
template <class _Tp, int _Xp, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int _Yp = 1, int _Zp = 1>
class BlockReduce
{
  public:
    using TempStorage = detail::exchange_storage<_Tp, _Xp * _Yp * _Zp>;

    __device__ explicit BlockReduce(TempStorage &__storage) : __values_(__storage.values())
    {
    }
    template <class _Fp> __device__ _Tp Reduce(_Tp __value, _Fp __op, int __valid = _Xp * _Yp * _Zp)
    {
        const int __thread_ = threadIdx.x + _Xp * (threadIdx.y + _Yp * threadIdx.z);
        __values_[__thread_] = __value;
        __syncthreads();
        if (__thread_ == 0)
            for (int __i = 1; __i < __valid; __i++)
                __value = __op(__value, __values_[__i]);
        return __value;
    }
    template <int _Items, class _Fp> __device__ _Tp Reduce(_Tp (&__items)[_Items], _Fp __op)
    {
        _Tp __value = __items[0];
        for (int __i = 1; __i < _Items; __i++)
            __value = __op(__value, __items[__i]);
        return Reduce(__value, __op);
    }
    __device__ _Tp Sum(_Tp __value, int __valid = _Xp * _Yp * _Zp)
    {
        return Reduce(__value, detail::add(), __valid);
    }
    template <int _Items> __device__ _Tp Sum(_Tp (&__items)[_Items])
    {
        return Reduce(__items, detail::add());
    }

  private:
    _Tp *__values_;
};

/** Prefix sums of the values of a block's threads. */
template <class _Tp, int _Xp, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int _Yp = 1, int _Zp = 1>
class BlockScan
{
  public:
    using TempStorage = detail::exchange_storage<_Tp, _Xp * _Yp * _Zp>;

    __device__ explicit BlockScan(TempStorage &__storage) : __values_(__storage.values())
    {
    }
    template <class _Fp> __device__ void InclusiveScan(_Tp __in, _Tp &__out, _Fp __op)
    {
        _Tp __all;
        InclusiveScan(__in, __out, __op, __all);
    }
    template <class _Fp> __device__ void InclusiveScan(_Tp __in, _Tp &__out, _Fp __op, _Tp &__all)
    {
        const int __thread_ = threadIdx.x + _Xp * (threadIdx.y + _Yp * threadIdx.z);
        __values_[__thread_] = __in;
        __syncthreads();
        if (__thread_ == 0)
            for (int __i = 1; __i < _Xp * _Yp * _Zp; __i++)
                __values_[__i] = __op(__values_[__i - 1], __values_[__i]);
        __syncthreads();
        __out = __values_[__thread_];
        __all = __values_[_Xp * _Yp * _Zp - 1];
    }
    template <class _Fp> __device__ void ExclusiveScan(_Tp __in, _Tp &__out, _Tp __init, _Fp __op)
    {
        _Tp __all;
        ExclusiveScan(__in, __out, __init, __op, __all);
    }
    template <class _Fp> __device__ void ExclusiveScan(_Tp __in, _Tp &__out, _Tp __init, _Fp __op, _Tp &__all)
    {
        const int __thread_ = threadIdx.x + _Xp * (threadIdx.y + _Yp * threadIdx.z);
        _Tp __mine;
        InclusiveScan(__in, __mine, __op, __all);
        __out = __thread_ == 0 ? __init : (_Tp)__op(__init, __values_[__thread_ - 1]);
    }
    __device__ void InclusiveSum(_Tp __in, _Tp &__out)
    {
        InclusiveScan(__in, __out, detail::add());
    }
    __device__ void InclusiveSum(_Tp __in, _Tp &__out, _Tp &__all)
    {
        InclusiveScan(__in, __out, detail::add(), __all);
    }
    __device__ void ExclusiveSum(_Tp __in, _Tp &__out)
    {
        ExclusiveScan(__in, __out, _Tp(), detail::add());
    }
    __device__ void ExclusiveSum(_Tp __in, _Tp &__out, _Tp &__all)
    {
        ExclusiveScan(__in, __out, _Tp(), detail::add(), __all);
    }
    template <int _Items> __device__ void InclusiveSum(_Tp (&__in)[_Items], _Tp (&__out)[_Items])
    {
        sum_items(__in, __out, true);
    }
    template <int _Items> __device__ void ExclusiveSum(_Tp (&__in)[_Items], _Tp (&__out)[_Items])
    {
        sum_items(__in, __out, false);
    }

  private:
    template <int _Items>
    __device__ void sum_items(_Tp (&__in)[_Items], _Tp (&__out)[_Items], bool __inclusive)
    {
        _Tp __sum = __in[0], __before;
        for (int __i = 1; __i < _Items; __i++)
            __sum = __sum + __in[__i];
        ExclusiveSum(__sum, __before);
        for (int __i = 0; __i < _Items; __i++) {
            const _Tp __next = __before + __in[__i];
            __out[__i] = __inclusive ? __next : __before;
            __before = __next;
        }
    }

    _Tp *__values_;
};

/** Reduces the values of the lanes of a warp, or of a part of a warp, to one, which the first lane gets. */
template <class _Tp, int _Lanes = 32> class WarpReduce
{
  public:
    using TempStorage = detail::exchange_storage<_Tp, _Lanes>;

    __device__ explicit WarpReduce(TempStorage &__storage) : __values_(__storage.values())
    {
    }
    template <class _Fp> __device__ _Tp Reduce(_Tp __value, _Fp __op, int __valid = _Lanes)
    {
        const int __in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        const int __lane = __in_block % 32;
        const unsigned __mask = _Lanes == 32 ? ~0u : ((1u << _Lanes % 32) - 1) << __lane / _Lanes * _Lanes;
        __values_[__lane % _Lanes] = __value;
        __syncwarp(__mask);
        if (__lane % _Lanes == 0)
            for (int __i = 1; __i < __valid; __i++)
                __value = __op(__value, __values_[__i]);
        __syncwarp(__mask);
        return __value;
    }
    __device__ _Tp Sum(_Tp __value, int __valid = _Lanes)
    {
        return Reduce(__value, detail::add(), __valid);
    }

  private:
    _Tp *__values_;
};

/** Prefix sums of the values of a warp's lanes. */
template <class _Tp, int _Lanes = 32> class WarpScan
{
  public:
    using TempStorage = detail::exchange_storage<_Tp, _Lanes>;

    __device__ explicit WarpScan(TempStorage &__storage) : __values_(__storage.values())
    {
    }
    template <class _Fp> __device__ void InclusiveScan(_Tp __in, _Tp &__out, _Fp __op)
    {
        const int __in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        const int __lane = __in_block % 32;
        const unsigned __mask = _Lanes == 32 ? ~0u : ((1u << _Lanes % 32) - 1) << __lane / _Lanes * _Lanes;
        __values_[__lane % _Lanes] = __in;
        __syncwarp(__mask);
        __out = __values_[0];
        for (int __i = 1; __i <= __lane % _Lanes; __i++)
            __out = __op(__out, __values_[__i]);
        __syncwarp(__mask);
    }
    __device__ void InclusiveSum(_Tp __in, _Tp &__out)
    {
        InclusiveScan(__in, __out, detail::add());
    }
    __device__ void ExclusiveSum(_Tp __in, _Tp &__out)
    {
        _Tp __sum;
        InclusiveScan(__in, __sum, detail::add());
        __out = __sum - __in;
    }

  private:
    _Tp *__values_;
};
} // namespace cub

#endif
