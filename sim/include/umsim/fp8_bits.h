/**
 * @file umsim/fp8_bits.h
 * @brief 8-bit floating-point numbers as bits: conversions of E4M3, E5M2 and of scales (E8M0) from and to
 * float and double. C and C++.
 *
 * As umsim/half_bits.h: integers and float arithmetic without branches, so that gcc vectorises loops over it.
 * A half or a bfloat16 is converted as the float that it is; a double is rounded to odd first.
 */
#ifndef UMSIM_FP8_BITS_H
#define UMSIM_FP8_BITS_H

#include "umsim/half_bits.h"

/** @cond internal */
#define UMSIM_FP8_FN static inline __attribute__((__always_inline__, __unused__))
/** @endcond */

/** An 8-bit format: what differs. */
typedef struct {
    int digits;   /**< of the mantissa, without the leading one */
    int bias;     /**< of the exponent */
    int most;     /**< the largest finite number */
    int infinity; /**< what lies beyond; E4M3 has no infinity, there it is NaN */
    float unit;   /**< the smallest number */
    float aligns; /**< the float whose last place is `unit` */
} umsim_fp8_format;

/** E4M3: 1 sign, 4 and 3 bits, up to 448. E5M2: up to 57344. */
UMSIM_FP8_FN umsim_fp8_format umsim_fp8_format_of(int __is_e4m3)
{
    const umsim_fp8_format __e4m3 = {3, 7, 0x7e, 0x7f, 1.0f / (1 << 9), 16384.0f};
    const umsim_fp8_format __e5m2 = {2, 15, 0x7b, 0x7c, 1.0f / (1 << 16), 128.0f};
    return __is_e4m3 ? __e4m3 : __e5m2;
}

/** To the nearest number of the format, ties to even. @param __saturate beyond the largest is the largest */
UMSIM_FP8_FN uint8_t umsim_float_to_fp8(float __x, int __saturate, umsim_fp8_format __to)
{
    const uint32_t __bits = umsim_float_bits(__x);
    const int32_t __magnitude = (int32_t)(__bits & 0x7fffffff);
    const int __lost = 23 - __to.digits;
    const int32_t __normal =
        ((__magnitude + (1 << (__lost - 1)) - 1 + (__magnitude >> __lost & 1)) >> __lost) -
        ((127 - __to.bias) << __to.digits);
    /* The processor's sum rounds to the format's last place, which is the float's there. */
    const int32_t __small =
        (int32_t)(umsim_float_bits(umsim_bits_float((uint32_t)__magnitude) + __to.aligns) -
                  umsim_float_bits(__to.aligns));
    int32_t __code = __magnitude < (128 - __to.bias) << 23 ? __small : __normal;
    __code = __code > __to.most ? (__saturate ? __to.most : __to.infinity) : __code;
    return (uint8_t)(__magnitude > 0x7f800000 ? 0x7f : __code | (int32_t)(__bits >> 24 & 0x80));
}

/** The same of a double, whose NaNs keep their sign and, in E5M2, their second digit, as in CUDA. */
UMSIM_FP8_FN uint8_t umsim_double_to_fp8(double __x, int __saturate, umsim_fp8_format __to)
{
    const float __odd = umsim_round_to_odd(__x);
    if (__x == __x)
        return umsim_float_to_fp8(__odd, __saturate, __to);
    uint64_t __bits;
    __builtin_memcpy(&__bits, &__x, sizeof __bits);
    const uint64_t __digit = __to.digits == 2 ? __bits >> 50 & 1 : 1;
    return (uint8_t)((__bits >> 56 & 0x80) | 0x7e | __digit);
}

/** Exact; a NaN becomes 0x7fffffff. */
UMSIM_FP8_FN float umsim_fp8_to_float(uint8_t __code, umsim_fp8_format __from)
{
    const int32_t __magnitude = __code & 0x7f;
    const uint32_t __normal =
        ((uint32_t)__magnitude << (23 - __from.digits)) + ((uint32_t)(127 - __from.bias) << 23);
    const uint32_t __small = umsim_float_bits((float)__magnitude * __from.unit);
    uint32_t __bits = __magnitude >> __from.digits ? __normal : __small;
    /* In E4M3 the code of infinity is its only NaN. */
    const int __none = __magnitude > __from.infinity || __magnitude == 0x7f;
    __bits = __magnitude == __from.infinity ? 0x7f800000 : __bits;
    return umsim_bits_float(__none ? 0x7fffffff : __bits | (uint32_t)(__code & 0x80) << 24);
}

/** The magnitude as a power of two: the next above, or below. 2^-127 is the least; NaN is 0xff. */
UMSIM_FP8_FN uint8_t umsim_float_to_e8m0(float __x, int __saturate, int __upwards)
{
    const uint32_t __magnitude = umsim_float_bits(__x) & 0x7fffffff;
    /* Up to 2^-127, which as a float is subnormal, all is 2^-127. */
    const uint32_t __above = __upwards && (__magnitude & 0x7fffff) && __magnitude > 0x00400000;
    const uint32_t __code = (__magnitude >> 23) + __above;
    return (uint8_t)(__magnitude > 0x7f800000 ? 0xff : __code > 0xfe && __saturate ? 0xfe : __code);
}

/** Exact; a NaN becomes 0x7fff0000. */
UMSIM_FP8_FN float umsim_e8m0_to_float(uint8_t __code)
{
    const uint32_t __bits = __code ? (uint32_t)__code << 23 : 0x00400000;
    return umsim_bits_float(__code == 0xff ? 0x7fff0000 : __bits);
}

#endif
