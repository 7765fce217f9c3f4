/**
 * @file cache_modified_input_iterator.cuh
 * @brief cub::CacheModifiedInputIterator: a pointer with a hint for the caches.
 */
#ifndef UMSIM_CUB_ITERATOR_CACHE_MODIFIED_INPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_CACHE_MODIFIED_INPUT_ITERATOR_CUH

#include "../../thrust/detail/facade.h"
#include "../thread/thread_load.cuh"
#include "../thread/thread_store.cuh"

namespace cub
{
/** Reads an array of the device's by ThreadLoad. */
template <CacheLoadModifier _How, class _Tp, class _Offset = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public thrust::detail::facade<CacheModifiedInputIterator<_How, _Tp, _Offset>, std::remove_cv_t<_Tp>,
                                    std::remove_cv_t<_Tp>, thrust::detail::memory_space::device>
{
  public:
    const _Tp *ptr;
    template <class _Up>
    __host__ __device__ CacheModifiedInputIterator(_Up *__p) : ptr((const std::remove_cv_t<_Tp> *)__p)
    {
    }
    /** @cond internal */
    __device__ std::remove_cv_t<_Tp> at(thrust::detail::index __i) const
    {
        return ThreadLoad<_How>(ptr + __i);
    }
    void move(thrust::detail::index __n)
    {
        ptr += __n;
    }
    thrust::detail::index from(const CacheModifiedInputIterator &__other) const
    {
        return ptr - __other.ptr;
    }
    /** @endcond */
};
} // namespace cub

#endif
