/**
 * @file discard_output_iterator.cuh
 * @brief cub::DiscardOutputIterator, which CUDA 13's CUB has no more.
 */
#ifndef UMSIM_CUB_ITERATOR_DISCARD_OUTPUT_ITERATOR_CUH
#define UMSIM_CUB_ITERATOR_DISCARD_OUTPUT_ITERATOR_CUH

#include "../../thrust/iterator/discard_iterator.h"

namespace cub
{
/** Thrust's. */
template <class _Offset = std::ptrdiff_t> using DiscardOutputIterator = thrust::discard_iterator<>;
} // namespace cub

#endif
