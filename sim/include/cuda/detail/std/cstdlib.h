/**
 * @file cuda/detail/std/cstdlib.h
 * @brief <cuda/std/cstdlib>: names of the C++ library that kernels may use.
 */
#ifndef UMSIM_CUDA_STD_CSTDLIB_H
#define UMSIM_CUDA_STD_CSTDLIB_H

#include <cstdlib>

namespace cuda
{
namespace std
{
using ::std::abs;
using ::std::aligned_alloc;
using ::std::div;
using ::std::div_t;
using ::std::free;
using ::std::ldiv;
using ::std::ldiv_t;
using ::std::lldiv;
using ::std::lldiv_t;
using ::std::malloc;
using ::std::size_t;
} // namespace std
} // namespace cuda

#endif
