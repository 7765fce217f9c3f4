/**
 * @file cuda/detail/std/memory.h
 * @brief <cuda/std/memory>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_MEMORY_H
#define UMSIM_CUDA_STD_MEMORY_H

#include <memory>

namespace cuda
{
namespace std
{
using ::std::addressof;
using ::std::align;
using ::std::allocator;
using ::std::allocator_traits;
using ::std::default_delete;
using ::std::make_unique;
using ::std::pointer_traits;
using ::std::unique_ptr;
#if __cplusplus >= 202002L
using ::std::assume_aligned;
using ::std::construct_at;
#endif
} // namespace std
} // namespace cuda

#endif
