/**
 * @file constant_input_iterator.cuh
 * @brief cub::ConstantInputIterator, which CUDA 13's CUB has no more.
 */
#ifndef UMSIM_CUB_ITERATOR_CONSTANT_INPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_CONSTANT_INPUT_ITERATOR_CUH

#include "../../thrust/iterator/constant_iterator.h"

namespace cub
{
/** Thrust's. */
template <class _Tp, class _Offset = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<_Tp>;
} // namespace cub

#endif
