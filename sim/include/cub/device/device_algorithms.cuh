/**
 * @file device_algorithms.cuh
 * @brief CUB's algorithms for the whole device, on Thrust's kernels: DeviceReduce, DeviceScan,
 * DeviceRadixSort, DeviceSelect.
 *
 * As in CUB, a call with NULL for the temporary storage says how much is wanted. One byte is: the kernels
 * have their own. Pointers are the device's. A call returns when its work is done, with what it came to.
 */
#ifndef UMSIM_CUB_DEVICE_ALGORITHMS_H
#define UMSIM_CUB_DEVICE_ALGORITHMS_H

#include "../../thrust/detail/sorting.h"

#include <limits>

namespace cub
{
/** @name Operations, which CUDA 13's CUB has no more @{ */
using Sum = thrust::plus<>;
using Min = thrust::minimum<>;
using Max = thrust::maximum<>;
using Equality = thrust::equal_to<>;
/** @} */

namespace detail
{
using thrust::detail::add;
using thrust::detail::index;
using thrust::detail::on_device;
using thrust::detail::raw;
using thrust::detail::value_of;

/* The two calls of each function: the storage's size, then f(). */
template <class F> cudaError_t with_storage(void *storage, std::size_t &bytes, F f)
{
    if (!storage) {
        bytes = 1;
        return cudaSuccess;
    }
    try {
        f();
        return cudaSuccess;
    } catch (const thrust::system_error &error) {
        return (cudaError_t)error.code().value();
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    }
}

template <class O, class T> void put(on_device s, O out, T value)
{
    auto to = raw(out);
    each(s, 1, [=](index) mutable { to[0] = value; });
}

template <class I, class O> void copy_array(on_device s, I in, index n, O out)
{
    auto from = raw(in);
    auto to = raw(out);
    each(s, n, [=](index i) mutable { to[i] = from[i]; });
}
} // namespace detail

/** One value of all. */
struct DeviceReduce {
    template <class I, class O, class N, class F, class T>
    static cudaError_t Reduce(void *storage, std::size_t &bytes, I in, O out, N n, F op, T init,
                              cudaStream_t stream = nullptr)
    {
        return detail::with_storage(storage, bytes, [&] {
            const detail::on_device s{stream};
            detail::put(s, out, thrust::detail::reduce_op::go(s, in, in + n, init, op));
        });
    }
    template <class I, class O, class N>
    static cudaError_t Sum(void *storage, std::size_t &bytes, I in, O out, N n, cudaStream_t stream = nullptr)
    {
        return Reduce(storage, bytes, in, out, n, detail::add(), detail::value_of<I>(), stream);
    }
    template <class I, class O, class N>
    static cudaError_t Min(void *storage, std::size_t &bytes, I in, O out, N n, cudaStream_t stream = nullptr)
    {
        return Reduce(storage, bytes, in, out, n, thrust::minimum<>(),
                      std::numeric_limits<detail::value_of<I>>::max(), stream);
    }
    template <class I, class O, class N>
    static cudaError_t Max(void *storage, std::size_t &bytes, I in, O out, N n, cudaStream_t stream = nullptr)
    {
        return Reduce(storage, bytes, in, out, n, thrust::maximum<>(),
                      std::numeric_limits<detail::value_of<I>>::lowest(), stream);
    }
};

/** Prefix sums. */
struct DeviceScan {
    template <class I, class O, class F, class N>
    static cudaError_t InclusiveScan(void *storage, std::size_t &bytes, I in, O out, F op, N n,
                                     cudaStream_t stream = nullptr)
    {
        return detail::with_storage(storage, bytes, [&] {
            thrust::detail::inclusive_scan_op::go(detail::on_device{stream}, in, in + n, out, op);
        });
    }
    template <class I, class O, class F, class T, class N>
    static cudaError_t ExclusiveScan(void *storage, std::size_t &bytes, I in, O out, F op, T init, N n,
                                     cudaStream_t stream = nullptr)
    {
        return detail::with_storage(storage, bytes, [&] {
            thrust::detail::exclusive_scan_op::go(detail::on_device{stream}, in, in + n, out, init, op);
        });
    }
    template <class I, class O, class N>
    static cudaError_t InclusiveSum(void *storage, std::size_t &bytes, I in, O out, N n,
                                    cudaStream_t stream = nullptr)
    {
        return InclusiveScan(storage, bytes, in, out, detail::add(), n, stream);
    }
    template <class I, class O, class N>
    static cudaError_t ExclusiveSum(void *storage, std::size_t &bytes, I in, O out, N n,
                                    cudaStream_t stream = nullptr)
    {
        return ExclusiveScan(storage, bytes, in, out, detail::add(), detail::value_of<I>(), n, stream);
    }
};

/** Sorts of numbers, by all of their bits. */
struct DeviceRadixSort {
    template <class K, class N>
    static cudaError_t SortKeys(void *storage, std::size_t &bytes, const K *in, K *out, N n,
                                int first_bit = 0, int end_bit = sizeof(K) * 8, cudaStream_t stream = nullptr)
    {
        return sort_keys(storage, bytes, in, out, n, first_bit, end_bit, stream, thrust::less<K>());
    }
    template <class K, class N>
    static cudaError_t SortKeysDescending(void *storage, std::size_t &bytes, const K *in, K *out, N n,
                                          int first_bit = 0, int end_bit = sizeof(K) * 8,
                                          cudaStream_t stream = nullptr)
    {
        return sort_keys(storage, bytes, in, out, n, first_bit, end_bit, stream, thrust::greater<K>());
    }
    template <class K, class V, class N>
    static cudaError_t SortPairs(void *storage, std::size_t &bytes, const K *keys, K *keys_out,
                                 const V *values, V *values_out, N n, int first_bit = 0,
                                 int end_bit = sizeof(K) * 8, cudaStream_t stream = nullptr)
    {
        return sort_pairs(storage, bytes, keys, keys_out, values, values_out, n, first_bit, end_bit, stream,
                          thrust::less<K>());
    }
    template <class K, class V, class N>
    static cudaError_t SortPairsDescending(void *storage, std::size_t &bytes, const K *keys, K *keys_out,
                                           const V *values, V *values_out, N n, int first_bit = 0,
                                           int end_bit = sizeof(K) * 8, cudaStream_t stream = nullptr)
    {
        return sort_pairs(storage, bytes, keys, keys_out, values, values_out, n, first_bit, end_bit, stream,
                          thrust::greater<K>());
    }

  private:
    /* Sorts by some of the bits are not here. @return whether all are asked for */
    template <class K> static bool all_bits(int first_bit, int end_bit)
    {
        return first_bit == 0 && end_bit == (int)sizeof(K) * 8;
    }
    template <class K, class N, class C>
    static cudaError_t sort_keys(void *storage, std::size_t &bytes, const K *in, K *out, N n, int first_bit,
                                 int end_bit, cudaStream_t stream, C less)
    {
        if (!all_bits<K>(first_bit, end_bit))
            return cudaErrorNotSupported;
        return detail::with_storage(storage, bytes, [&] {
            detail::copy_array(detail::on_device{stream}, in, n, out);
            thrust::detail::sort_op::go(detail::on_device{stream}, out, out + n, less);
        });
    }
    template <class K, class V, class N, class C>
    static cudaError_t sort_pairs(void *storage, std::size_t &bytes, const K *keys, K *keys_out,
                                  const V *values, V *values_out, N n, int first_bit, int end_bit,
                                  cudaStream_t stream, C less)
    {
        if (!all_bits<K>(first_bit, end_bit))
            return cudaErrorNotSupported;
        return detail::with_storage(storage, bytes, [&] {
            const detail::on_device s{stream};
            detail::copy_array(s, keys, n, keys_out);
            detail::copy_array(s, values, n, values_out);
            thrust::detail::sort_by_key_op::go(s, keys_out, keys_out + n, values_out, less);
        });
    }
};

/** Some of the elements, in order, and how many they are. */
struct DeviceSelect {
    template <class I, class O, class M, class N, class P>
    static cudaError_t If(void *storage, std::size_t &bytes, I in, O out, M count, N n, P predicate,
                          cudaStream_t stream = nullptr)
    {
        return detail::with_storage(storage, bytes, [&] {
            const detail::on_device s{stream};
            detail::put(s, count, thrust::detail::copy_if_op::go(s, in, in + n, out, predicate) - out);
        });
    }
    template <class I, class G, class O, class M, class N>
    static cudaError_t Flagged(void *storage, std::size_t &bytes, I in, G flags, O out, M count, N n,
                               cudaStream_t stream = nullptr)
    {
        return detail::with_storage(storage, bytes, [&] {
            const detail::on_device s{stream};
            detail::put(s, count,
                        thrust::detail::copy_if_op::go(s, in, in + n, flags, out, thrust::identity<>()) -
                            out);
        });
    }
    template <class I, class O, class M, class N>
    static cudaError_t Unique(void *storage, std::size_t &bytes, I in, O out, M count, N n,
                              cudaStream_t stream = nullptr)
    {
        return detail::with_storage(storage, bytes, [&] {
            const detail::on_device s{stream};
            detail::put(s, count, thrust::detail::unique_copy_op::go(s, in, in + n, out) - out);
        });
    }
};
} // namespace cub

#endif
