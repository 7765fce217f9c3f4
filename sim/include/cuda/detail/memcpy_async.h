/**
 * @file memcpy_async.h
 * @brief What cuda::memcpy_async() of <cuda/barrier> and of <cuda/pipeline> share.
 *
 * Here copies are made at the call. So a program that reads before it has waited finds the data here, but
 * may not find it on a GPU.
 */
#ifndef UMSIM_CUDA_MEMCPY_ASYNC_H
#define UMSIM_CUDA_MEMCPY_ASYNC_H

#include <cstring>

#include "scope.h"

namespace cuda
{

/** A number of bytes. Both addresses, and the number itself, are multiples of `_Alignment`. */
template <size_t _Alignment> struct aligned_size_t {
    static_assert(_Alignment > 0 && (_Alignment & (_Alignment - 1)) == 0, "an alignment is a power of two");
    static constexpr size_t align = _Alignment;
    size_t value;
    explicit aligned_size_t(size_t __bytes) : value(__bytes)
    {
    }
    operator size_t() const
    {
        return value;
    }
};

/** Whether a copy is made later. */
enum class async_contract_fulfillment { none, async };

/** @cond internal */
namespace detail
{

template <class _Size> inline async_contract_fulfillment copy(void *__to, const void *__from, _Size __bytes)
{
    memcpy(__to, __from, (size_t)__bytes);
    return async_contract_fulfillment::none;
}

/* Each thread copies its part, in units of 16 bytes. */
template <class _Group, class _Size>
inline async_contract_fulfillment copy_together(const _Group &__group, void *__to, const void *__from,
                                                _Size __size)
{
    const size_t __bytes = (size_t)__size, __threads = (size_t)__group.size();
    const size_t __part = ((__bytes + __threads - 1) / __threads + 15) / 16 * 16,
                 __first = (size_t)__group.thread_rank() * __part;
    if (__first < __bytes)
        memcpy((char *)__to + __first, (const char *)__from + __first,
               __bytes - __first < __part ? __bytes - __first : __part);
    return async_contract_fulfillment::none;
}

} // namespace detail
/** @endcond */

} // namespace cuda

#endif
