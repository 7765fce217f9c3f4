/**
 * @file cuda_bf16.h
 * @brief bfloat16, the upper half of a float: __nv_bfloat16, __nv_bfloat162, their conversions, operators
 * and functions, for kernels and for host code.
 *
 * umsim/half_type.h and umsim/half_functions.h say what is provided and how exact it is; read bfloat16 for
 * half in each name.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_fp16.h"

/** The bits of a __nv_bfloat16. */
typedef struct __attribute__((__aligned__(2))) {
    unsigned short x; /**< the upper half of a float's bits */
} __nv_bfloat16_raw;

/** The bits of a __nv_bfloat162. */
typedef struct __attribute__((__aligned__(4))) {
    unsigned short x; /**< the low half */
    unsigned short y; /**< the high half */
} __nv_bfloat162_raw;

#ifdef __cplusplus
#define __CUDA_BF16_TYPES_EXIST__

#define UMSIM_HALF __nv_bfloat16
#define UMSIM_HALF2 __nv_bfloat162
#define UMSIM_HALF_RAW __nv_bfloat16_raw
#define UMSIM_HALF2_RAW __nv_bfloat162_raw
#define UMSIM_HALF_OTHER __half
#define UMSIM_HALF_FORMAT umsim::bfloat16
#define UMSIM_HALF_WORD bfloat16
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define UMSIM_HALF_CONVERSIONS
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define UMSIM_HALF_OPERATORS
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define UMSIM_HALF2_OPERATORS
#endif
#include "umsim/half_type.h"
#include "umsim/half_functions.h"

#ifndef __CUDA_NO_HALF_CONVERSIONS__
/** Rounded to nearest. */
inline __half::__half(__nv_bfloat16 __other) : __half(__float2half(__bfloat162float(__other)))
{
}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
/** Rounded to nearest. */
inline __nv_bfloat16::__nv_bfloat16(__half __other) : __nv_bfloat16(__float2bfloat16(__half2float(__other)))
{
}
#endif

/** @name Constants
 * @{ */
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
/** @} */

/** @name Other names
 * @{ */
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
/** @} */

#endif /* __cplusplus */

#endif
