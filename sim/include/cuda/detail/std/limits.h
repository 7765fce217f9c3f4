/**
 * @file cuda/detail/std/limits.h
 * @brief <cuda/std/limits>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_LIMITS_H
#define UMSIM_CUDA_STD_LIMITS_H

#include <limits>

namespace cuda
{
namespace std
{
using ::std::float_denorm_style;
using ::std::float_round_style;
using ::std::numeric_limits;
} // namespace std
} // namespace cuda

#endif
