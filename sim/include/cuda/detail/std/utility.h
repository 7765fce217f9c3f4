/**
 * @file cuda/detail/std/utility.h
 * @brief <cuda/std/utility>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_UTILITY_H
#define UMSIM_CUDA_STD_UTILITY_H

#include <utility>

namespace cuda
{
namespace std
{
using ::std::as_const;
using ::std::declval;
using ::std::exchange;
using ::std::forward;
using ::std::get;
using ::std::in_place;
using ::std::in_place_index;
using ::std::in_place_index_t;
using ::std::in_place_t;
using ::std::in_place_type;
using ::std::in_place_type_t;
using ::std::index_sequence;
using ::std::index_sequence_for;
using ::std::integer_sequence;
using ::std::make_index_sequence;
using ::std::make_integer_sequence;
using ::std::make_pair;
using ::std::move;
using ::std::move_if_noexcept;
using ::std::pair;
using ::std::piecewise_construct;
using ::std::piecewise_construct_t;
using ::std::swap;
using ::std::tuple_element;
using ::std::tuple_element_t;
using ::std::tuple_size;
#if __cplusplus >= 202002L
using ::std::cmp_equal;
using ::std::cmp_greater;
using ::std::cmp_greater_equal;
using ::std::cmp_less;
using ::std::cmp_less_equal;
using ::std::cmp_not_equal;
using ::std::in_range;
#endif
} // namespace std
} // namespace cuda

#endif
