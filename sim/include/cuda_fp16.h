/**
 * @file cuda_fp16.h
 * @brief Half precision: __half (half), __half2 (half2), their conversions, operators and functions, for
 * kernels and for host code.
 *
 * umsim/half_type.h and umsim/half_functions.h say what is provided and how exact it is.
 *
 * CUDA has many of these functions in device code only; here both sides have all of them. C sees only the
 * bits.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

/** The bits of a __half. */
typedef struct __attribute__((__aligned__(2))) {
    unsigned short x; /**< IEEE binary16 */
} __half_raw;

/** The bits of a __half2. */
typedef struct __attribute__((__aligned__(4))) {
    unsigned short x; /**< the low half */
    unsigned short y; /**< the high half */
} __half2_raw;

#ifdef __cplusplus
#define __CUDA_FP16_TYPES_EXIST__

#include "cuda_runtime_api.h" /* these four for programs: NVIDIA's header brings them */
#include "vector_functions.h"
#include <initializer_list>
#include <string.h>

#include "umsim/half_format.h"

struct __nv_bfloat16;

#define UMSIM_HALF __half
#define UMSIM_HALF2 __half2
#define UMSIM_HALF_RAW __half_raw
#define UMSIM_HALF2_RAW __half2_raw
#define UMSIM_HALF_OTHER __nv_bfloat16
#define UMSIM_HALF_FORMAT umsim::binary16
#define UMSIM_HALF_WORD half
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define UMSIM_HALF_CONVERSIONS
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define UMSIM_HALF_OPERATORS
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define UMSIM_HALF2_OPERATORS
#endif
#include "umsim/half_type.h"
#include "umsim/half_functions.h"

/** @name Constants
 * @{ */
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
/** @} */

/** @name Other names
 * @{ */
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
/** @} */

#endif /* __cplusplus */

#endif
