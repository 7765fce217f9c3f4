/**
 * @file cuda/detail/std/optional.h
 * @brief <cuda/std/optional>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_OPTIONAL_H
#define UMSIM_CUDA_STD_OPTIONAL_H

#include <optional>

namespace cuda
{
namespace std
{
using ::std::bad_optional_access;
using ::std::in_place;
using ::std::in_place_t;
using ::std::make_optional;
using ::std::nullopt;
using ::std::nullopt_t;
using ::std::optional;
} // namespace std
} // namespace cuda

#endif
