/**
 * @file config.cuh
 * @brief CUB's version and macros.
 */
#ifndef UMSIM_CUB_CONFIG_CUH
#define UMSIM_CUB_CONFIG_CUH

#include "../cuda/detail/brought_by_cccl.h"
#include "../cuda_runtime.h"

/** The version that this CUB replaces. */
#define CUB_VERSION 300001
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER 0

#define CUB_NAMESPACE_BEGIN                                                                                  \
    namespace cub                                                                                            \
    {
#define CUB_NAMESPACE_END }
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NS_QUALIFIER ::cub

/** @name Of CUDA 12's CUB @{ */
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_PTX_ARCH __CUDA_ARCH__
#define CUB_WARP_THREADS(arch) 32
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_MAX_DEVICES 128
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, message)
/** @} */

/** @cond internal */
namespace cub
{
}
/** @endcond */

#endif
