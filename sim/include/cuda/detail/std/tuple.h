/**
 * @file cuda/detail/std/tuple.h
 * @brief <cuda/std/tuple>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_TUPLE_H
#define UMSIM_CUDA_STD_TUPLE_H

#include <tuple>

namespace cuda
{
namespace std
{
using ::std::apply;
using ::std::forward_as_tuple;
using ::std::get;
using ::std::ignore;
using ::std::make_from_tuple;
using ::std::make_tuple;
using ::std::tie;
using ::std::tuple;
using ::std::tuple_cat;
using ::std::tuple_element;
using ::std::tuple_element_t;
using ::std::tuple_size;
using ::std::tuple_size_v;
} // namespace std
} // namespace cuda

#endif
