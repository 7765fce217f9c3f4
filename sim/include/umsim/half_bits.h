/**
 * @file umsim/half_bits.h
 * @brief 16-bit floating-point numbers as bits: conversions of IEEE's binary16 (CUDA's half) and bfloat16
 * from and to float and double. C and C++.
 *
 * The code uses only integers and float arithmetic, without branches, so that gcc vectorises loops over it
 * on any processor. x86-64 has no instruction for these numbers before F16C, and gcc's _Float16 calls a
 * function for each one there. Every NaN becomes 0x7fff, as on a GPU.
 *
 * If a result is computed in float and rounded once more, it is the correctly rounded one where float has
 * twice the digits and two (24 >= 2 * 11 + 2). That holds for sums, and for binary16's products, quotients
 * and roots. What is computed in double goes through umsim_round_to_odd(), which loses nothing that decides
 * the second rounding.
 */
#ifndef UMSIM_HALF_BITS_H
#define UMSIM_HALF_BITS_H

#include <stdint.h>

/** @cond internal */
#define UMSIM_BITS_FN static inline __attribute__((__always_inline__, __unused__))
/** @endcond */

/** The bits of a float. */
UMSIM_BITS_FN uint32_t umsim_float_bits(float __x)
{
    uint32_t __bits;
    __builtin_memcpy(&__bits, &__x, sizeof __bits);
    return __bits;
}

/** The float of these bits. */
UMSIM_BITS_FN float umsim_bits_float(uint32_t __bits)
{
    float __x;
    __builtin_memcpy(&__x, &__bits, sizeof __x);
    return __x;
}

/** binary16 to float: exact; a NaN becomes 0x7fffffff. */
UMSIM_BITS_FN float umsim_half_to_float(uint16_t __half_)
{
    const int32_t __magnitude = __half_ & 0x7fff; /* signed: vectors of signed integers convert at once */
    /* The exponent counts from 127 instead of 15, from 255 for infinity. */
    const uint32_t __normal =
        ((uint32_t)__magnitude << 13) + (__magnitude >= 0x7c00 ? 224u << 23 : 112u << 23);
    const uint32_t __small = umsim_float_bits((float)__magnitude * 5.9604644775390625e-8f);
    const uint32_t __bits = (__magnitude < 0x0400 ? __small : __normal) | (uint32_t)(__half_ & 0x8000) << 16;
    return umsim_bits_float(__magnitude > 0x7c00 ? 0x7fffffff : __bits);
}

/** float to the nearest binary16, ties to even. */
UMSIM_BITS_FN uint16_t umsim_float_to_half(float __x)
{
    const uint32_t __bits = umsim_float_bits(__x);
    const int32_t __magnitude = (int32_t)(__bits & 0x7fffffff);
    /* Adding just under half of the last place rounds up values above a tie; adding one more if the last
     * digit is odd rounds ties to even. */
    const int32_t __normal = (__magnitude - (112 << 23) + 0xfff + (__magnitude >> 13 & 1)) >> 13;
    /* Once 0.5 is added, the last place of a float is that of the subnormal halves. */
    const int32_t __small =
        (int32_t)umsim_float_bits(umsim_bits_float((uint32_t)__magnitude) + 0.5f) - (126 << 23);
    int32_t __half_ = __magnitude < 113 << 23 ? __small : __normal;
    __half_ = __magnitude >= 0x477ff000 ? 0x7c00 : __half_; /* 65520 is a tie, which rounds to infinity */
    __half_ = __magnitude > 0x7f800000 ? 0x7fff : __half_;
    const int32_t __sign = __magnitude > 0x7f800000 ? 0 : (int32_t)(__bits >> 16 & 0x8000);
    return (uint16_t)(__half_ | __sign);
}

/** bfloat16 to float: exact. */
UMSIM_BITS_FN float umsim_bfloat16_to_float(uint16_t __bfloat16)
{
    return umsim_bits_float((uint32_t)__bfloat16 << 16);
}

/** float to the nearest bfloat16, ties to even. */
UMSIM_BITS_FN uint16_t umsim_float_to_bfloat16(float __x)
{
    const uint32_t __bits = umsim_float_bits(__x);
    const uint32_t __rounded = (__bits + 0x7fff + (__bits >> 16 & 1)) >> 16;
    return (uint16_t)((int32_t)(__bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : __rounded);
}

/**
 * double to float, rounded to odd: if the value is not exact, to the neighbour whose last bit is 1. If the
 * result is rounded again to at most 22 digits, it is the same as after a single rounding.
 */
UMSIM_BITS_FN float umsim_round_to_odd(double __x)
{
    const float __nearest = (float)__x;
    const double __back = __nearest;
    const uint32_t __bits = umsim_float_bits(__nearest),
                   __beyond = __builtin_fabs(__back) > __builtin_fabs(__x);
    return umsim_bits_float(__back != __x ? (__bits - __beyond) | 1 : __bits);
}

/** a * b + c rounded to odd, where a * b is exact as a double: the part that the sum lost decides. */
UMSIM_BITS_FN float umsim_multiply_add_to_odd(double __a, double __b, double __c)
{
    const double __product = __a * __b, __sum = __product + __c, __back = __sum - __product;
    const double __lost = (__product - (__sum - __back)) + (__c - __back);
    int64_t __bits;
    __builtin_memcpy(&__bits, &__sum, sizeof __bits);
    /* NaN and infinity have nothing to correct: the lost part is then a NaN, which is neither > nor < 0. */
    const int64_t __outwards = __bits < 0 ? __lost < 0 : __lost > 0,
                  __inwards = __bits < 0 ? __lost > 0 : __lost < 0;
    __bits = __outwards | __inwards ? (__bits - __inwards) | 1 : __bits;
    double __odd;
    __builtin_memcpy(&__odd, &__bits, sizeof __odd);
    return umsim_round_to_odd(__odd);
}

/**
 * The neighbour of a nearest number of 16 bits, of either format, for a rounding mode.
 * @param __nearest its bits
 * @param __error the nearest number minus the exact one, or any number of the same sign
 * @param __way 0 towards zero, 1 down, 2 up
 */
UMSIM_BITS_FN uint16_t umsim_half_directed(uint16_t __nearest, double __error, int __way)
{
    const int __negative = __nearest >> 15;
    const int __down = __way == 1 || (__way == 0 && !__negative);
    if (!(__down ? __error > 0 : __error < 0))
        return __nearest;
    return (uint16_t)(__down == __negative ? __nearest + 1 : __nearest - 1);
}

#undef UMSIM_BITS_FN

#endif
