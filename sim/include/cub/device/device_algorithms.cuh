/**
 * @file device_algorithms.cuh
 * @brief CUB's algorithms for the whole device, on Thrust's kernels: DeviceReduce, DeviceScan,
 * DeviceRadixSort, DeviceSelect.
 *
 * As in CUB, a call with NULL for the temporary storage returns the size that it needs. That is one byte,
 * because the kernels have storage of their own. Pointers are the device's. A call returns when its work is
 * done, with the result's error code.
 */
#ifndef UMSIM_CUB_DEVICE_ALGORITHMS_H
#define UMSIM_CUB_DEVICE_ALGORITHMS_H

#include "../../thrust/detail/sorting.h"
#include "../thread/thread_operators.cuh"

#include <limits>

namespace cub
{
namespace detail
{
using thrust::detail::add;
using thrust::detail::index;
using thrust::detail::on_device;
using thrust::detail::raw;
using thrust::detail::value_of;

/* The two calls of each function: the first returns the storage's size, the second calls f(). */
template <class _Fp> cudaError_t with_storage(void *__storage, std::size_t &__bytes, _Fp __f)
{
    if (!__storage) {
        __bytes = 1;
        return cudaSuccess;
    }
    try {
        __f();
        return cudaSuccess;
    } catch (const thrust::system_error &__error) {
        return (cudaError_t)__error.code().value();
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    }
}

template <class _Op, class _Tp> void put(on_device __s, _Op __out, _Tp __value)
{
    auto __to = raw(__out);
    each(__s, 1, [=](index) mutable { __to[0] = __value; });
}

template <class _Ip, class _Op> void copy_array(on_device __s, _Ip __in, index __n, _Op __out)
{
    auto __from = raw(__in);
    auto __to = raw(__out);
    each(__s, __n, [=](index __i) mutable { __to[__i] = __from[__i]; });
}
} // namespace detail

/** Reductions: one value of all elements. */
struct DeviceReduce {
    template <class _Ip, class _Op, class _Np, class _Fp, class _Tp>
    static cudaError_t Reduce(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n, _Fp __op,
                              _Tp __init, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, [&] {
            const detail::on_device __s{__stream};
            detail::put(__s, __out, thrust::detail::reduce_op::go(__s, __in, __in + __n, __init, __op));
        });
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Sum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                           cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __n, detail::add(), detail::value_of<_Ip>(), __stream);
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Min(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                           cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __n, thrust::minimum<>(),
                      std::numeric_limits<detail::value_of<_Ip>>::max(), __stream);
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t Max(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                           cudaStream_t __stream = nullptr)
    {
        return Reduce(__storage, __bytes, __in, __out, __n, thrust::maximum<>(),
                      std::numeric_limits<detail::value_of<_Ip>>::lowest(), __stream);
    }
};

/** Prefix sums. */
struct DeviceScan {
    template <class _Ip, class _Op, class _Fp, class _Np>
    static cudaError_t InclusiveScan(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Fp __op,
                                     _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, [&] {
            thrust::detail::inclusive_scan_op::go(detail::on_device{__stream}, __in, __in + __n, __out, __op);
        });
    }
    template <class _Ip, class _Op, class _Fp, class _Tp, class _Np>
    static cudaError_t ExclusiveScan(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Fp __op,
                                     _Tp __init, _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, [&] {
            thrust::detail::exclusive_scan_op::go(detail::on_device{__stream}, __in, __in + __n, __out,
                                                  __init, __op);
        });
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t InclusiveSum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                    cudaStream_t __stream = nullptr)
    {
        return InclusiveScan(__storage, __bytes, __in, __out, detail::add(), __n, __stream);
    }
    template <class _Ip, class _Op, class _Np>
    static cudaError_t ExclusiveSum(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Np __n,
                                    cudaStream_t __stream = nullptr)
    {
        return ExclusiveScan(__storage, __bytes, __in, __out, detail::add(), detail::value_of<_Ip>(), __n,
                             __stream);
    }
};

/** Sorts numbers, by all of their bits. */
struct DeviceRadixSort {
    template <class _Kp, class _Np>
    static cudaError_t SortKeys(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out, _Np __n,
                                int __first_bit = 0, int __end_bit = sizeof(_Kp) * 8,
                                cudaStream_t __stream = nullptr)
    {
        return sort_keys(__storage, __bytes, __in, __out, __n, __first_bit, __end_bit, __stream,
                         thrust::less<_Kp>());
    }
    template <class _Kp, class _Np>
    static cudaError_t SortKeysDescending(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out,
                                          _Np __n, int __first_bit = 0, int __end_bit = sizeof(_Kp) * 8,
                                          cudaStream_t __stream = nullptr)
    {
        return sort_keys(__storage, __bytes, __in, __out, __n, __first_bit, __end_bit, __stream,
                         thrust::greater<_Kp>());
    }
    template <class _Kp, class _Vp, class _Np>
    static cudaError_t SortPairs(void *__storage, std::size_t &__bytes, const _Kp *__keys, _Kp *__keys_out,
                                 const _Vp *__values, _Vp *__values_out, _Np __n, int __first_bit = 0,
                                 int __end_bit = sizeof(_Kp) * 8, cudaStream_t __stream = nullptr)
    {
        return sort_pairs(__storage, __bytes, __keys, __keys_out, __values, __values_out, __n, __first_bit,
                          __end_bit, __stream, thrust::less<_Kp>());
    }
    template <class _Kp, class _Vp, class _Np>
    static cudaError_t SortPairsDescending(void *__storage, std::size_t &__bytes, const _Kp *__keys,
                                           _Kp *__keys_out, const _Vp *__values, _Vp *__values_out, _Np __n,
                                           int __first_bit = 0, int __end_bit = sizeof(_Kp) * 8,
                                           cudaStream_t __stream = nullptr)
    {
        return sort_pairs(__storage, __bytes, __keys, __keys_out, __values, __values_out, __n, __first_bit,
                          __end_bit, __stream, thrust::greater<_Kp>());
    }

  private:
    /* Sorting by only some of the bits is not provided. @return whether all are requested */
    template <class _Kp> static bool all_bits(int __first_bit, int __end_bit)
    {
        return __first_bit == 0 && __end_bit == (int)sizeof(_Kp) * 8;
    }
    template <class _Kp, class _Np, class _Cp>
    static cudaError_t sort_keys(void *__storage, std::size_t &__bytes, const _Kp *__in, _Kp *__out, _Np __n,
                                 int __first_bit, int __end_bit, cudaStream_t __stream, _Cp __less)
    {
        if (!all_bits<_Kp>(__first_bit, __end_bit))
            return cudaErrorNotSupported;
        return detail::with_storage(__storage, __bytes, [&] {
            detail::copy_array(detail::on_device{__stream}, __in, __n, __out);
            thrust::detail::sort_op::go(detail::on_device{__stream}, __out, __out + __n, __less);
        });
    }
    template <class _Kp, class _Vp, class _Np, class _Cp>
    static cudaError_t sort_pairs(void *__storage, std::size_t &__bytes, const _Kp *__keys, _Kp *__keys_out,
                                  const _Vp *__values, _Vp *__values_out, _Np __n, int __first_bit,
                                  int __end_bit, cudaStream_t __stream, _Cp __less)
    {
        if (!all_bits<_Kp>(__first_bit, __end_bit))
            return cudaErrorNotSupported;
        return detail::with_storage(__storage, __bytes, [&] {
            const detail::on_device __s{__stream};
            detail::copy_array(__s, __keys, __n, __keys_out);
            detail::copy_array(__s, __values, __n, __values_out);
            thrust::detail::sort_by_key_op::go(__s, __keys_out, __keys_out + __n, __values_out, __less);
        });
    }
};

/** Selects some of the elements, in order, and counts them. */
struct DeviceSelect {
    template <class _Ip, class _Op, class _Mp, class _Np, class _Pp>
    static cudaError_t If(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Mp __count, _Np __n,
                          _Pp __predicate, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, [&] {
            const detail::on_device __s{__stream};
            detail::put(__s, __count,
                        thrust::detail::copy_if_op::go(__s, __in, __in + __n, __out, __predicate) - __out);
        });
    }
    template <class _Ip, class _Gp, class _Op, class _Mp, class _Np>
    static cudaError_t Flagged(void *__storage, std::size_t &__bytes, _Ip __in, _Gp __flags, _Op __out,
                               _Mp __count, _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, [&] {
            const detail::on_device __s{__stream};
            detail::put(
                __s, __count,
                thrust::detail::copy_if_op::go(__s, __in, __in + __n, __flags, __out, thrust::identity<>()) -
                    __out);
        });
    }
    template <class _Ip, class _Op, class _Mp, class _Np>
    static cudaError_t Unique(void *__storage, std::size_t &__bytes, _Ip __in, _Op __out, _Mp __count,
                              _Np __n, cudaStream_t __stream = nullptr)
    {
        return detail::with_storage(__storage, __bytes, [&] {
            const detail::on_device __s{__stream};
            detail::put(__s, __count,
                        thrust::detail::unique_copy_op::go(__s, __in, __in + __n, __out) - __out);
        });
    }
};
} // namespace cub

#endif
