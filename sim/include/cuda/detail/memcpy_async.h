/**
 * @file memcpy_async.h
 * @brief What cuda::memcpy_async() of <cuda/barrier> and <cuda/pipeline> share.
 *
 * Here copies are made at the call: a program that reads before it has waited finds the data, on a GPU it may
 * not.
 */
#ifndef UMSIM_CUDA_MEMCPY_ASYNC_H
#define UMSIM_CUDA_MEMCPY_ASYNC_H

#include <cstring>

#include "scope.h"

namespace cuda
{

/** A number of bytes of which both addresses, and itself, are multiples of `Alignment`. */
template <size_t Alignment> struct aligned_size_t {
    static_assert(Alignment > 0 && (Alignment & (Alignment - 1)) == 0, "an alignment is a power of two");
    static constexpr size_t align = Alignment;
    size_t value;
    explicit aligned_size_t(size_t bytes) : value(bytes)
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

template <class Size> inline async_contract_fulfillment copy(void *to, const void *from, Size bytes)
{
    memcpy(to, from, (size_t)bytes);
    return async_contract_fulfillment::none;
}

/* Each thread its part, in units of 16 bytes. */
template <class Group, class Size>
inline async_contract_fulfillment copy_together(const Group &group, void *to, const void *from, Size size)
{
    const size_t bytes = (size_t)size, threads = (size_t)group.size();
    const size_t part = ((bytes + threads - 1) / threads + 15) / 16 * 16,
                 first = (size_t)group.thread_rank() * part;
    if (first < bytes)
        memcpy((char *)to + first, (const char *)from + first, bytes - first < part ? bytes - first : part);
    return async_contract_fulfillment::none;
}

} // namespace detail
/** @endcond */

} // namespace cuda

#endif
