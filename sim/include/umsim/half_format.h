/**
 * @file umsim/half_format.h
 * @brief What cuda_fp16.h and cuda_bf16.h need once: the two formats as classes, and their ways to integers.
 * C++ only.
 *
 * umsim/half_type.h and umsim/half_functions.h are written for one type of unnamed format, and included for
 * each of the two by the CUDA headers, which say by macros whose turn it is.
 */
#ifndef UMSIM_HALF_FORMAT_H
#define UMSIM_HALF_FORMAT_H

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include "umsim/half_bits.h"
#include "vector_types.h"

/** @cond internal */
#define UMSIM_HALF_FN inline __attribute__((always_inline))

namespace umsim
{

/* IEEE binary16: 11 binary digits, 6e-8 to 65504. Products and quotients are exact enough in float. */
struct binary16 {
    static constexpr unsigned short infinity = 0x7c00, one = 0x3c00;
    static UMSIM_HALF_FN float to_float(unsigned short bits)
    {
        return umsim_half_to_float(bits);
    }
    static UMSIM_HALF_FN unsigned short from_float(float x)
    {
        return umsim_float_to_half(x);
    }
    static UMSIM_HALF_FN unsigned short product(float a, float b)
    {
        return from_float(a * b);
    }
    static UMSIM_HALF_FN unsigned short quotient(float a, float b)
    {
        return from_float(a / b);
    }
    /* What a double drops of this sum is below 2^-37 of a result in range, and no tie is decided there. */
    static UMSIM_HALF_FN unsigned short multiply_add(float a, float b, float c)
    {
        return from_float(umsim_round_to_odd((double)a * b + c));
    }
};

/* bfloat16: 8 binary digits and float's exponents. Small floats have few digits, so it goes by double. */
struct bfloat16 {
    static constexpr unsigned short infinity = 0x7f80, one = 0x3f80;
    static UMSIM_HALF_FN float to_float(unsigned short bits)
    {
        return umsim_bfloat16_to_float(bits);
    }
    static UMSIM_HALF_FN unsigned short from_float(float x)
    {
        return umsim_float_to_bfloat16(x);
    }
    static UMSIM_HALF_FN unsigned short product(float a, float b)
    {
        return from_float(umsim_round_to_odd((double)a * b));
    }
    static UMSIM_HALF_FN unsigned short quotient(float a, float b)
    {
        return from_float(umsim_round_to_odd((double)a / b));
    }
    static UMSIM_HALF_FN unsigned short multiply_add(float a, float b, float c)
    {
        return from_float(umsim_multiply_add_to_odd(a, b, c));
    }
};

/* The bits of a __half, a __half2 and their kind, and a number of these bits. */
template <class Bits, class T> UMSIM_HALF_FN Bits half_bits(const T &value)
{
    static_assert(sizeof(Bits) == sizeof(T), "same size");
    Bits bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

template <class T, class Raw> UMSIM_HALF_FN T half_of(unsigned short bits)
{
    return T(Raw{bits});
}

template <class Format> UMSIM_HALF_FN unsigned short half_from_double(double x)
{
    return Format::from_float(umsim_round_to_odd(x));
}
template <class Format> UMSIM_HALF_FN unsigned short half_from_double(double x, int way)
{
    const unsigned short nearest = half_from_double<Format>(x);
    return umsim_half_directed(nearest, (double)Format::to_float(nearest) - x, way);
}

/* An integer as a double, rounded to odd where it has more than 53 digits. */
template <class I> UMSIM_HALF_FN double half_odd_double(I x)
{
    if (sizeof x < 8)
        return (double)x;
    const unsigned long long magnitude = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    const double value =
        magnitude >> 53 ? (double)(magnitude >> 11 | ((magnitude & 0x7ff) != 0)) * 2048.0 : (double)magnitude;
    return x < 0 ? -value : value;
}

/* Out of range, the nearest value that the type has. What is no number: 0, of 64 bits the sign bit alone. */
template <class I> UMSIM_HALF_FN I half_to_integer(float x)
{
    constexpr I most = I(-1) > 0 ? I(-1) : I(((unsigned long long)1 << (sizeof(I) * CHAR_BIT - 1)) - 1);
    constexpr I least = I(-1) > 0 ? 0 : -most - 1;
    constexpr I nothing = sizeof(I) < 8 ? I(0) : I(1ull << 63);
    return x != x ? nothing : x <= (float)least ? least : x >= (float)most ? most : (I)x;
}

} // namespace umsim
/** @endcond */

#endif
