/**
 * @file block_algorithms.cuh
 * @brief CUB's algorithms for a block and for a warp: BlockReduce, BlockScan, WarpReduce, WarpScan.
 *
 * Values go through the shared storage that the caller gives, and the first thread adds them up in their
 * order. As in CUB, a barrier belongs between two uses of the same storage.
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
/* One value of each thread. */
template <class T, int Threads> struct exchange_storage {
    alignas(T) unsigned char bytes[sizeof(T) * Threads];
    __device__ T *values()
    {
        return (T *)bytes;
    }
};
} // namespace detail

/** A block's threads' values as one, which the first thread gets. */
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce
{
  public:
    using TempStorage = detail::exchange_storage<T, X * Y * Z>;

    __device__ explicit BlockReduce(TempStorage &storage) : values_(storage.values())
    {
    }
    template <class F> __device__ T Reduce(T value, F op, int valid = X * Y * Z)
    {
        const int thread = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
        values_[thread] = value;
        __syncthreads();
        if (thread == 0)
            for (int i = 1; i < valid; i++)
                value = op(value, values_[i]);
        return value;
    }
    template <int Items, class F> __device__ T Reduce(T (&items)[Items], F op)
    {
        T value = items[0];
        for (int i = 1; i < Items; i++)
            value = op(value, items[i]);
        return Reduce(value, op);
    }
    __device__ T Sum(T value, int valid = X * Y * Z)
    {
        return Reduce(value, detail::add(), valid);
    }
    template <int Items> __device__ T Sum(T (&items)[Items])
    {
        return Reduce(items, detail::add());
    }

  private:
    T *values_;
};

/** Prefix sums of a block's threads' values. */
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> class BlockScan
{
  public:
    using TempStorage = detail::exchange_storage<T, X * Y * Z>;

    __device__ explicit BlockScan(TempStorage &storage) : values_(storage.values())
    {
    }
    template <class F> __device__ void InclusiveScan(T in, T &out, F op)
    {
        T all;
        InclusiveScan(in, out, op, all);
    }
    template <class F> __device__ void InclusiveScan(T in, T &out, F op, T &all)
    {
        const int thread = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
        values_[thread] = in;
        __syncthreads();
        if (thread == 0)
            for (int i = 1; i < X * Y * Z; i++)
                values_[i] = op(values_[i - 1], values_[i]);
        __syncthreads();
        out = values_[thread];
        all = values_[X * Y * Z - 1];
    }
    template <class F> __device__ void ExclusiveScan(T in, T &out, T init, F op)
    {
        T all;
        ExclusiveScan(in, out, init, op, all);
    }
    template <class F> __device__ void ExclusiveScan(T in, T &out, T init, F op, T &all)
    {
        const int thread = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
        T mine;
        InclusiveScan(in, mine, op, all);
        out = thread == 0 ? init : (T)op(init, values_[thread - 1]);
    }
    __device__ void InclusiveSum(T in, T &out)
    {
        InclusiveScan(in, out, detail::add());
    }
    __device__ void InclusiveSum(T in, T &out, T &all)
    {
        InclusiveScan(in, out, detail::add(), all);
    }
    __device__ void ExclusiveSum(T in, T &out)
    {
        ExclusiveScan(in, out, T(), detail::add());
    }
    __device__ void ExclusiveSum(T in, T &out, T &all)
    {
        ExclusiveScan(in, out, T(), detail::add(), all);
    }
    template <int Items> __device__ void InclusiveSum(T (&in)[Items], T (&out)[Items])
    {
        sum_items(in, out, true);
    }
    template <int Items> __device__ void ExclusiveSum(T (&in)[Items], T (&out)[Items])
    {
        sum_items(in, out, false);
    }

  private:
    template <int Items> __device__ void sum_items(T (&in)[Items], T (&out)[Items], bool inclusive)
    {
        T sum = in[0], before;
        for (int i = 1; i < Items; i++)
            sum = sum + in[i];
        ExclusiveSum(sum, before);
        for (int i = 0; i < Items; i++) {
            const T next = before + in[i];
            out[i] = inclusive ? next : before;
            before = next;
        }
    }

    T *values_;
};

/** The values of a warp's lanes, or of a part's of a warp, as one, which the first lane gets. */
template <class T, int Lanes = 32> class WarpReduce
{
  public:
    using TempStorage = detail::exchange_storage<T, Lanes>;

    __device__ explicit WarpReduce(TempStorage &storage) : values_(storage.values())
    {
    }
    template <class F> __device__ T Reduce(T value, F op, int valid = Lanes)
    {
        const int in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        const int lane = in_block % 32;
        const unsigned mask = Lanes == 32 ? ~0u : ((1u << Lanes % 32) - 1) << lane / Lanes * Lanes;
        values_[lane % Lanes] = value;
        __syncwarp(mask);
        if (lane % Lanes == 0)
            for (int i = 1; i < valid; i++)
                value = op(value, values_[i]);
        __syncwarp(mask);
        return value;
    }
    __device__ T Sum(T value, int valid = Lanes)
    {
        return Reduce(value, detail::add(), valid);
    }

  private:
    T *values_;
};

/** Prefix sums of the values of a warp's lanes. */
template <class T, int Lanes = 32> class WarpScan
{
  public:
    using TempStorage = detail::exchange_storage<T, Lanes>;

    __device__ explicit WarpScan(TempStorage &storage) : values_(storage.values())
    {
    }
    template <class F> __device__ void InclusiveScan(T in, T &out, F op)
    {
        const int in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        const int lane = in_block % 32;
        const unsigned mask = Lanes == 32 ? ~0u : ((1u << Lanes % 32) - 1) << lane / Lanes * Lanes;
        values_[lane % Lanes] = in;
        __syncwarp(mask);
        out = values_[0];
        for (int i = 1; i <= lane % Lanes; i++)
            out = op(out, values_[i]);
        __syncwarp(mask);
    }
    __device__ void InclusiveSum(T in, T &out)
    {
        InclusiveScan(in, out, detail::add());
    }
    __device__ void ExclusiveSum(T in, T &out)
    {
        T sum;
        InclusiveScan(in, sum, detail::add());
        out = sum - in;
    }

  private:
    T *values_;
};
} // namespace cub

#endif
