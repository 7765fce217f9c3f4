/**
 * @file cuda/detail/std/cstddef.h
 * @brief <cuda/std/cstddef>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_CSTDDEF_H
#define UMSIM_CUDA_STD_CSTDDEF_H

#include <cstddef>

namespace cuda
{
namespace std
{
using ::std::byte;
using ::std::max_align_t;
using ::std::nullptr_t;
using ::std::ptrdiff_t;
using ::std::size_t;
using ::std::to_integer;
} // namespace std
} // namespace cuda

#endif
