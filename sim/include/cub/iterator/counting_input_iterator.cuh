/**
 * @file counting_input_iterator.cuh
 * @brief cub::CountingInputIterator, which CUDA 13's CUB has no more.
 */
#ifndef UMSIM_CUB_ITERATOR_COUNTING_INPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_COUNTING_INPUT_ITERATOR_CUH

#include "../../thrust/iterator/counting_iterator.h"

namespace cub
{
/** Thrust's. */
template <class _Tp, class _Offset = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<_Tp>;
} // namespace cub

#endif
