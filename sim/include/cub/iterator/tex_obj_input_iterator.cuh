/**
 * @file tex_obj_input_iterator.cuh
 * @brief cub::TexObjInputIterator: an array that a GPU reads through a texture.
 */
#ifndef UMSIM_CUB_ITERATOR_TEX_OBJ_INPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_TEX_OBJ_INPUT_ITERATOR_CUH

#include "../../thrust/detail/facade.h"
#include "../thread/thread_load.cuh"
#include "../thread/thread_store.cuh"

namespace cub
{
/** Reads an array; here without a texture, which is only faster on old GPUs. */
template <class _Tp, class _Offset = std::ptrdiff_t>
class TexObjInputIterator
    : public thrust::detail::facade<TexObjInputIterator<_Tp, _Offset>, std::remove_cv_t<_Tp>,
                                    std::remove_cv_t<_Tp>, thrust::detail::memory_space::device>
{
  public:
    TexObjInputIterator() = default;
    template <class _Qp>
    cudaError_t BindTexture(_Qp *__p, std::size_t = (std::size_t)-1, std::size_t __offset = 0)
    {
        __p_ = (const std::remove_cv_t<_Tp> *)__p + __offset;
        return cudaSuccess;
    }
    cudaError_t UnbindTexture()
    {
        __p_ = nullptr;
        return cudaSuccess;
    }
    /** @cond internal */
    std::remove_cv_t<_Tp> at(thrust::detail::index __i) const
    {
        return __p_[__i];
    }
    void move(thrust::detail::index __n)
    {
        __p_ += __n;
    }
    thrust::detail::index from(const TexObjInputIterator &__other) const
    {
        return __p_ - __other.__p_;
    }
    /** @endcond */

  private:
    const std::remove_cv_t<_Tp> *__p_ = nullptr;
};
} // namespace cub

#endif
