/**
 * @file transform_input_iterator.cuh
 * @brief cub::TransformInputIterator, which CUDA 13's CUB has no more.
 */
#ifndef UMSIM_CUB_ITERATOR_TRANSFORM_INPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_TRANSFORM_INPUT_ITERATOR_CUH

#include "../../thrust/iterator/transform_iterator.h"

namespace cub
{
/** Thrust's, with the arguments in CUB's order. */
template <class _Vp, class _Fp, class _Ip, class _Offset = std::ptrdiff_t>
using TransformInputIterator = thrust::transform_iterator<_Fp, _Ip, _Vp, _Vp>;
} // namespace cub

#endif
