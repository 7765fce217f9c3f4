/**
 * @file cuda/detail/std/iterator.h
 * @brief <cuda/std/iterator>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_ITERATOR_H
#define UMSIM_CUDA_STD_ITERATOR_H

#include <iterator>

namespace cuda
{
namespace std
{
using ::std::advance;
using ::std::begin;
using ::std::bidirectional_iterator_tag;
using ::std::cbegin;
using ::std::cend;
using ::std::data;
using ::std::distance;
using ::std::empty;
using ::std::end;
using ::std::forward_iterator_tag;
using ::std::input_iterator_tag;
using ::std::iterator_traits;
using ::std::make_move_iterator;
using ::std::make_reverse_iterator;
using ::std::move_iterator;
using ::std::next;
using ::std::output_iterator_tag;
using ::std::prev;
using ::std::random_access_iterator_tag;
using ::std::rbegin;
using ::std::rend;
using ::std::reverse_iterator;
using ::std::size;
} // namespace std
} // namespace cuda

#endif
