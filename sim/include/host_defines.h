/**
 * @file host_defines.h
 * @brief The keywords that CUDA C++ adds to a declaration: __global__, __device__, __shared__ and so on.
 *
 * umcc handles these keywords after preprocessing, so for umcc they are not defined as macros. For any
 * other compiler they expand to nothing, so C code can include a header with prototypes of kernels.
 */
#ifndef UMSIM_HOST_DEFINES_H
#define UMSIM_HOST_DEFINES_H

#ifndef __UMCC__
/** @name Where a function runs or a variable lives
 * @{ */
#define __host__     /**< function: runs on the host; needed only beside __device__ */
#define __device__   /**< function: runs on the device, called from there; variable: in device memory */
#define __global__   /**< function: a kernel, runs on the device, launched by the host */
#define __shared__   /**< variable in a kernel: one for all threads of a block */
#define __constant__ /**< variable: in device memory, kernels only read it */
#define __managed__  /**< variable: in managed memory, host and device use it by its name */
/** parameter of a kernel: never written, so that no thread needs a copy */
#define __grid_constant__
#define __launch_bounds__(...) /**< kernel: largest block, and desired number of blocks on a multiprocessor  \
                                */
/** @} */
#endif

#undef __forceinline__
/** Inlined even where the compiler would not. */
#define __forceinline__ __inline__ __attribute__((__always_inline__))
/** Alignment of a type or variable, bytes. */
#define __align__(n) __attribute__((__aligned__(n)))
/** Same, as CUDA's own headers spell it. */
#define __builtin_align__(n) __align__(n)
/** The function does not return. */
#define __no_return__ __attribute__((__noreturn__))
/** One instance for each host thread. */
#define __thread__ __thread
/** Calling convention of the API: the platform's. */
#define CUDARTAPI
/** Same, for functions with variable arguments. */
#define CUDARTAPI_CDECL
/** In declarations of functions that device code has from CUDA's runtime. */
#define __cudart_builtin__
/** Calling convention of callbacks: the platform's. */
#define CUDART_CB

#endif
