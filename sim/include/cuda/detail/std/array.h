/**
 * @file cuda/detail/std/array.h
 * @brief <cuda/std/array>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_ARRAY_H
#define UMSIM_CUDA_STD_ARRAY_H

#include <array>

namespace cuda
{
namespace std
{
using ::std::array;
using ::std::begin;
using ::std::data;
using ::std::end;
using ::std::get;
using ::std::size;
using ::std::swap;
using ::std::tuple_element;
using ::std::tuple_size;
} // namespace std
} // namespace cuda

#endif
