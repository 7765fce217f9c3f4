/**
 * @file cuda/detail/std/functional.h
 * @brief <cuda/std/functional>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_FUNCTIONAL_H
#define UMSIM_CUDA_STD_FUNCTIONAL_H

#include <algorithm>
#include <functional>

namespace cuda
{
namespace std
{
using ::std::bind;
using ::std::bit_and;
using ::std::bit_not;
using ::std::bit_or;
using ::std::bit_xor;
using ::std::clamp;
using ::std::cref;
using ::std::divides;
using ::std::equal_to;
using ::std::greater;
using ::std::greater_equal;
using ::std::hash;
using ::std::invoke;
using ::std::less;
using ::std::less_equal;
using ::std::logical_and;
using ::std::logical_not;
using ::std::logical_or;
using ::std::max;
using ::std::mem_fn;
using ::std::min;
using ::std::minus;
using ::std::modulus;
using ::std::multiplies;
using ::std::negate;
using ::std::not_equal_to;
using ::std::not_fn;
using ::std::plus;
using ::std::ref;
using ::std::reference_wrapper;
#if __cplusplus >= 202002L
using ::std::bind_front;
using ::std::identity;
using ::std::unwrap_ref_decay;
using ::std::unwrap_reference;
#endif
} // namespace std
} // namespace cuda

#endif
