/**
 * @file cache_modified_output_iterator.cuh
 * @brief cub::CacheModifiedOutputIterator: a pointer to write to with a hint for the caches.
 */
#ifndef UMSIM_CUB_ITERATOR_CACHE_MODIFIED_OUTPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_CACHE_MODIFIED_OUTPUT_ITERATOR_CUH

#include "../../thrust/detail/facade.h"
#include "../thread/thread_store.cuh"
#include "../thread/thread_load.cuh"

namespace cub
{
namespace detail
{
template <CacheStoreModifier _How, class _Tp> struct stored_by {
    _Tp *place;
    __device__ const stored_by &operator=(const _Tp &__value) const
    {
        ThreadStore<_How>(place, __value);
        return *this;
    }
};
} // namespace detail

/** Writes an array of the device's by ThreadStore. */
template <CacheStoreModifier _How, class _Tp, class _Offset = std::ptrdiff_t>
class CacheModifiedOutputIterator
    : public thrust::detail::facade<CacheModifiedOutputIterator<_How, _Tp, _Offset>, _Tp,
                                    detail::stored_by<_How, _Tp>, thrust::detail::memory_space::device>
{
  public:
    template <class _Up> __host__ __device__ CacheModifiedOutputIterator(_Up *__p) : __p_(__p)
    {
    }
    /** @cond internal */
    detail::stored_by<_How, _Tp> at(thrust::detail::index __i) const
    {
        return {__p_ + __i};
    }
    void move(thrust::detail::index __n)
    {
        __p_ += __n;
    }
    thrust::detail::index from(const CacheModifiedOutputIterator &__other) const
    {
        return __p_ - __other.__p_;
    }
    /** @endcond */

  private:
    _Tp *__p_;
};
} // namespace cub

#endif
