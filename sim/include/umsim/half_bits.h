/**
 * @file umsim/half_bits.h
 * @brief Numbers of 16 bits as bits: IEEE's binary16 (CUDA's half) and bfloat16, from and to float and
 * double. C and C++.
 *
 * Integers and float arithmetic only, without branches, so that gcc makes vectors of loops over them on any
 * processor: x86-64 has no instruction for these numbers before F16C, and gcc's _Float16 calls a function for
 * each one there. Whatever is no number becomes 0x7fff, as on a GPU.
 *
 * A result computed in float and rounded once more is the correctly rounded one where float has twice the
 * digits and two (24 >= 2 * 11 + 2): sums, and binary16's products, quotients and roots. What is computed in
 * double goes through umsim_round_to_odd(), which loses nothing that decides the second rounding.
 */
#ifndef UMSIM_HALF_BITS_H
#define UMSIM_HALF_BITS_H

#include <stdint.h>
#include <string.h>

/** @cond internal */
#define UMSIM_BITS_FN static inline __attribute__((always_inline, unused))
/** @endcond */

/** The bits of a float. */
UMSIM_BITS_FN uint32_t umsim_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/** The float of these bits. */
UMSIM_BITS_FN float umsim_bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/** binary16 to float: exact; what is no number becomes 0x7fffffff. */
UMSIM_BITS_FN float umsim_half_to_float(uint16_t half)
{
    const int32_t magnitude = half & 0x7fff; /* signed: vectors of signed integers convert at once */
    /* The exponent counts from 127 instead of 15, from 255 for infinity. */
    const uint32_t normal = ((uint32_t)magnitude << 13) + (magnitude >= 0x7c00 ? 224u << 23 : 112u << 23);
    const uint32_t small = umsim_float_bits((float)magnitude * 5.9604644775390625e-8f);
    const uint32_t bits = (magnitude < 0x0400 ? small : normal) | (uint32_t)(half & 0x8000) << 16;
    return umsim_bits_float(magnitude > 0x7c00 ? 0x7fffffff : bits);
}

/** float to the nearest binary16, ties to even. */
UMSIM_BITS_FN uint16_t umsim_float_to_half(float x)
{
    const uint32_t bits = umsim_float_bits(x);
    const int32_t magnitude = (int32_t)(bits & 0x7fffffff);
    /* Adding just under half of the last place rounds up what is above a tie, or at one and odd. */
    const int32_t normal = (magnitude - (112 << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    /* Beside 0.5 the last place of a float is that of the small halves. */
    const int32_t small =
        (int32_t)umsim_float_bits(umsim_bits_float((uint32_t)magnitude) + 0.5f) - (126 << 23);
    int32_t half = magnitude < 113 << 23 ? small : normal;
    half = magnitude >= 0x477ff000 ? 0x7c00 : half; /* 65520: a tie, goes to infinity */
    half = magnitude > 0x7f800000 ? 0x7fff : half;
    const int32_t sign = magnitude > 0x7f800000 ? 0 : (int32_t)(bits >> 16 & 0x8000);
    return (uint16_t)(half | sign);
}

/** bfloat16 to float: exact. */
UMSIM_BITS_FN float umsim_bfloat16_to_float(uint16_t bfloat16)
{
    return umsim_bits_float((uint32_t)bfloat16 << 16);
}

/** float to the nearest bfloat16, ties to even. */
UMSIM_BITS_FN uint16_t umsim_float_to_bfloat16(float x)
{
    const uint32_t bits = umsim_float_bits(x);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((int32_t)(bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded);
}

/**
 * double to float, rounded to odd: to the neighbour whose last bit is 1 where it is not exact. Rounded again
 * to at most 22 digits the result is that of one rounding.
 */
UMSIM_BITS_FN float umsim_round_to_odd(double x)
{
    const float nearest = (float)x;
    const double back = nearest;
    const uint32_t bits = umsim_float_bits(nearest), beyond = __builtin_fabs(back) > __builtin_fabs(x);
    return umsim_bits_float(back != x ? (bits - beyond) | 1 : bits);
}

/** a * b + c to the odd neighbour, where a * b is exact as a double: what was lost of the sum decides. */
UMSIM_BITS_FN float umsim_multiply_add_to_odd(double a, double b, double c)
{
    const double product = a * b, sum = product + c, back = sum - product;
    const double lost = (product - (sum - back)) + (c - back);
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    /* No number and infinity lose nothing that could be told: lost is no number then, and neither > nor < 0.
     */
    const int64_t outwards = bits < 0 ? lost < 0 : lost > 0, inwards = bits < 0 ? lost > 0 : lost < 0;
    bits = outwards | inwards ? (bits - inwards) | 1 : bits;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return umsim_round_to_odd(odd);
}

/**
 * The neighbour of a nearest number of 16 bits, of either kind, that the way of rounding asks for.
 * @param nearest its bits
 * @param error the nearest number minus the exact one, or anything of its sign
 * @param way 0 towards zero, 1 down, 2 up
 */
UMSIM_BITS_FN uint16_t umsim_half_directed(uint16_t nearest, double error, int way)
{
    const int negative = nearest >> 15;
    const int down = way == 1 || (way == 0 && !negative);
    if (!(down ? error > 0 : error < 0))
        return nearest;
    return (uint16_t)(down == negative ? nearest + 1 : nearest - 1);
}

#undef UMSIM_BITS_FN

#endif
