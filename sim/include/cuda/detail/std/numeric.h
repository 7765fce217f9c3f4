/**
 * @file cuda/detail/std/numeric.h
 * @brief <cuda/std/numeric>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_NUMERIC_H
#define UMSIM_CUDA_STD_NUMERIC_H

#include <numeric>

namespace cuda
{
namespace std
{
using ::std::accumulate;
using ::std::adjacent_difference;
using ::std::exclusive_scan;
using ::std::gcd;
using ::std::inclusive_scan;
using ::std::inner_product;
using ::std::iota;
using ::std::lcm;
using ::std::partial_sum;
using ::std::reduce;
using ::std::transform_reduce;
#if __cplusplus >= 202002L
using ::std::midpoint;
#endif
} // namespace std
} // namespace cuda

#endif
