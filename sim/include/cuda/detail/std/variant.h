/**
 * @file cuda/detail/std/variant.h
 * @brief <cuda/std/variant>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_VARIANT_H
#define UMSIM_CUDA_STD_VARIANT_H

#include <variant>

namespace cuda
{
namespace std
{
using ::std::get;
using ::std::get_if;
using ::std::holds_alternative;
using ::std::in_place_index;
using ::std::in_place_type;
using ::std::monostate;
using ::std::variant;
using ::std::variant_alternative;
using ::std::variant_alternative_t;
using ::std::variant_npos;
using ::std::variant_size;
using ::std::variant_size_v;
using ::std::visit;
} // namespace std
} // namespace cuda

#endif
