/**
 * @file host_defines.h
 * @brief The words that CUDA C++ adds to a declaration: __global__, __device__, __shared__ and so on.
 *
 * umcc consumes these words after preprocessing, so they stay as they are there. For any other compiler they
 * mean nothing: a header with kernels' prototypes can be included from C.
 */
#ifndef UMSIM_HOST_DEFINES_H
#define UMSIM_HOST_DEFINES_H

#ifndef __UMCC__
/** @name Where a function runs or a variable lives
 * @{ */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
/** @} */
#endif

/** Inlined even where the compiler would not. */
#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
/** Alignment of a type or variable, bytes. */
#define __align__(n) __attribute__((aligned(n)))
/** Same, as CUDA's own headers spell it. */
#define __builtin_align__(n) __align__(n)
/** The function does not return. */
#define __no_return__ __attribute__((noreturn))
/** One instance for each host thread. */
#define __thread__ __thread
/** Calling convention of the API: the platform's. */
#define CUDARTAPI
/** Same, for functions with variable arguments. */
#define CUDARTAPI_CDECL
/** Calling convention of callbacks: the platform's. */
#define CUDART_CB

#endif
