/**
 * @file cuda_fp8.h
 * @brief 8-bit floating-point numbers: E4M3, E5M2 and scales (E8M0), pairs and fours of them, and their
 * conversions, for kernels and for host code.
 *
 * They are for storage: CUDA has no arithmetic on them, either. Conversions round to nearest, ties to even
 * (scales: up or towards zero), and give what NVIDIA's header gives on the host, bit for bit
 * (tests/parity/fp8_bits.cpp). C has the functions and the types of bits.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <assert.h>
#include <string.h>
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "device_types.h"
#include "umsim/fp8_bits.h"
#include "vector_functions.h"
#include "vector_types.h"

typedef unsigned char __nv_fp8_storage_t;    /**< The bits of a number. */
typedef unsigned short __nv_fp8x2_storage_t; /**< The bits of two; the first is the low byte. */
typedef unsigned int __nv_fp8x4_storage_t;   /**< The bits of four; the first is the lowest byte. */

/** What becomes of numbers beyond the format's largest. */
typedef enum __nv_saturation_t {
    __NV_NOSAT,    /**< infinity, or NaN where the format has none */
    __NV_SATFINITE /**< the largest; infinity, too */
} __nv_saturation_t;

/** The two formats of numbers. */
typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3, /**< up to 448, without infinity */
    __NV_E5M2  /**< up to 57344; the upper half of an IEEE half */
} __nv_fp8_interpretation_t;

/** @cond internal */
#ifdef __cplusplus
#define UMSIM_FP8_CALL UMSIM_HALF_CALL
#else
#define UMSIM_FP8_CALL UMSIM_FP8_FN
#endif
#define UMSIM_FP8_KIND(kind) umsim_fp8_format_of((kind) == __NV_E4M3)
#define UMSIM_FP8_BOTH(low, high) ((__nv_fp8x2_storage_t)((low) | (high) << 8))
/** @endcond */

/** @name Conversions to 8 bits: of a float, double, half, bfloat16, or of two
 * @{ */
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float __x, const __nv_saturation_t __saturate,
                                                        const __nv_fp8_interpretation_t __kind)
{
    return umsim_float_to_fp8(__x, __saturate == __NV_SATFINITE, UMSIM_FP8_KIND(__kind));
}
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double __x, const __nv_saturation_t __saturate,
                                                         const __nv_fp8_interpretation_t __kind)
{
    return umsim_double_to_fp8(__x, __saturate == __NV_SATFINITE, UMSIM_FP8_KIND(__kind));
}
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw __x,
                                                          const __nv_saturation_t __saturate,
                                                          const __nv_fp8_interpretation_t __kind)
{
    return __nv_cvt_float_to_fp8(umsim_half_to_float(__x.x), __saturate, __kind);
}
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw __x,
                                                              const __nv_saturation_t __saturate,
                                                              const __nv_fp8_interpretation_t __kind)
{
    return __nv_cvt_float_to_fp8(umsim_bfloat16_to_float(__x.x), __saturate, __kind);
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 __x,
                                                             const __nv_saturation_t __saturate,
                                                             const __nv_fp8_interpretation_t __kind)
{
    return UMSIM_FP8_BOTH(__nv_cvt_float_to_fp8(__x.x, __saturate, __kind),
                          __nv_cvt_float_to_fp8(__x.y, __saturate, __kind));
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 __x,
                                                              const __nv_saturation_t __saturate,
                                                              const __nv_fp8_interpretation_t __kind)
{
    return UMSIM_FP8_BOTH(__nv_cvt_double_to_fp8(__x.x, __saturate, __kind),
                          __nv_cvt_double_to_fp8(__x.y, __saturate, __kind));
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw __x,
                                                               const __nv_saturation_t __saturate,
                                                               const __nv_fp8_interpretation_t __kind)
{
    return UMSIM_FP8_BOTH(__nv_cvt_float_to_fp8(umsim_half_to_float(__x.x), __saturate, __kind),
                          __nv_cvt_float_to_fp8(umsim_half_to_float(__x.y), __saturate, __kind));
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw __x,
                                                                   const __nv_saturation_t __saturate,
                                                                   const __nv_fp8_interpretation_t __kind)
{
    return UMSIM_FP8_BOTH(__nv_cvt_float_to_fp8(umsim_bfloat16_to_float(__x.x), __saturate, __kind),
                          __nv_cvt_float_to_fp8(umsim_bfloat16_to_float(__x.y), __saturate, __kind));
}
/** @} */

/** @name Conversions to half: exact
 * @{ */
UMSIM_FP8_CALL __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t __x,
                                                  const __nv_fp8_interpretation_t __kind)
{
    __half_raw __result;
    __result.x = umsim_float_to_half(umsim_fp8_to_float(__x, UMSIM_FP8_KIND(__kind)));
    return __result;
}
UMSIM_FP8_CALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t __x,
                                                      const __nv_fp8_interpretation_t __kind)
{
    __half2_raw __result;
    __result.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)__x, __kind).x;
    __result.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(__x >> 8), __kind).x;
    return __result;
}
/** @} */

/** @name Scales: a power of two, of the number's magnitude; rounded by cudaRoundPosInf or cudaRoundZero
 * @{ */
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float __x, const __nv_saturation_t __saturate,
                                                         const enum cudaRoundMode __rounding)
{
    assert(__rounding == cudaRoundZero || __rounding == cudaRoundPosInf);
    return umsim_float_to_e8m0(__x, __saturate == __NV_SATFINITE, __rounding == cudaRoundPosInf);
}
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double __x,
                                                          const __nv_saturation_t __saturate,
                                                          const enum cudaRoundMode __rounding)
{
    return __nv_cvt_float_to_e8m0(umsim_round_to_odd(__x), __saturate, __rounding);
}
UMSIM_FP8_CALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw __x,
                                                               const __nv_saturation_t __saturate,
                                                               const enum cudaRoundMode __rounding)
{
    return __nv_cvt_float_to_e8m0(umsim_bfloat16_to_float(__x.x), __saturate, __rounding);
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 __x,
                                                              const __nv_saturation_t __saturate,
                                                              const enum cudaRoundMode __rounding)
{
    return UMSIM_FP8_BOTH(__nv_cvt_float_to_e8m0(__x.x, __saturate, __rounding),
                          __nv_cvt_float_to_e8m0(__x.y, __saturate, __rounding));
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 __x,
                                                               const __nv_saturation_t __saturate,
                                                               const enum cudaRoundMode __rounding)
{
    return UMSIM_FP8_BOTH(__nv_cvt_double_to_e8m0(__x.x, __saturate, __rounding),
                          __nv_cvt_double_to_e8m0(__x.y, __saturate, __rounding));
}
UMSIM_FP8_CALL __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw __x,
                                                                    const __nv_saturation_t __saturate,
                                                                    const enum cudaRoundMode __rounding)
{
    return UMSIM_FP8_BOTH(__nv_cvt_float_to_e8m0(umsim_bfloat16_to_float(__x.x), __saturate, __rounding),
                          __nv_cvt_float_to_e8m0(umsim_bfloat16_to_float(__x.y), __saturate, __rounding));
}
UMSIM_FP8_CALL __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t __x)
{
    __nv_bfloat16_raw __result;
    __result.x = umsim_float_to_bfloat16(umsim_e8m0_to_float(__x));
    return __result;
}
UMSIM_FP8_CALL __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t __x)
{
    __nv_bfloat162_raw __result;
    __result.x = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)__x).x;
    __result.y = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(__x >> 8)).x;
    return __result;
}
/** @} */

#ifdef __cplusplus
#define __CUDA_FP8_TYPES_EXIST__

#include <initializer_list>
#include "umsim/fp8_format.h"

#define UMSIM_FP8 __nv_fp8_e4m3
#define UMSIM_FP8X2 __nv_fp8x2_e4m3
#define UMSIM_FP8X4 __nv_fp8x4_e4m3
#define UMSIM_FP8_FORMAT umsim::fp8_number<__NV_E4M3>
#include "umsim/fp8_type.h"

#define UMSIM_FP8 __nv_fp8_e5m2
#define UMSIM_FP8X2 __nv_fp8x2_e5m2
#define UMSIM_FP8X4 __nv_fp8x4_e5m2
#define UMSIM_FP8_FORMAT umsim::fp8_number<__NV_E5M2>
#include "umsim/fp8_type.h"

#define UMSIM_FP8 __nv_fp8_e8m0
#define UMSIM_FP8X2 __nv_fp8x2_e8m0
#define UMSIM_FP8X4 __nv_fp8x4_e8m0
#define UMSIM_FP8_FORMAT umsim::fp8_scale
#define UMSIM_FP8_SCALES
#include "umsim/fp8_type.h"
#undef UMSIM_FP8_SCALES
#endif

#undef UMSIM_FP8_FN
#undef UMSIM_FP8_CALL
#undef UMSIM_FP8_KIND
#undef UMSIM_FP8_BOTH

#endif
