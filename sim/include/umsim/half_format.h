/**
 * @file umsim/half_format.h
 * @brief What cuda_fp16.h and cuda_bf16.h share: the two formats as classes, and their conversions to
 * integers. C++ only.
 *
 * umsim/half_type.h and umsim/half_functions.h are written for one type of unnamed format. The CUDA headers
 * include them once for each of the two formats, which they select by macros.
 */
#ifndef UMSIM_HALF_FORMAT_H
#define UMSIM_HALF_FORMAT_H

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include "umsim/half_bits.h"
#include "vector_types.h"

/** @cond internal */
#define UMSIM_HALF_FN inline __attribute__((__always_inline__))
/* What a GPU has in one instruction: a call in the form that counts (umcc/segments.h). */
#define UMSIM_HALF_CALL inline __attribute__((__always_inline__, __no_icf__))

namespace umsim
{

/* IEEE binary16: 11 binary digits, 6e-8 to 65504. Products and quotients are exact enough in float. */
struct binary16 {
    static constexpr unsigned short infinity = 0x7c00, one = 0x3c00;
    static UMSIM_HALF_FN float to_float(unsigned short __bits)
    {
        return umsim_half_to_float(__bits);
    }
    static UMSIM_HALF_FN unsigned short from_float(float __x)
    {
        return umsim_float_to_half(__x);
    }
    static UMSIM_HALF_FN unsigned short product(float __a, float __b)
    {
        return from_float(__a * __b);
    }
    static UMSIM_HALF_FN unsigned short quotient(float __a, float __b)
    {
        return from_float(__a / __b);
    }
    /* What a double loses of this sum is below 2^-37 of a result in range, which decides no tie. */
    static UMSIM_HALF_FN unsigned short multiply_add(float __a, float __b, float __c)
    {
        return from_float(umsim_round_to_odd((double)__a * __b + __c));
    }
};

/* bfloat16: 8 binary digits and float's exponents. Small floats have few digits, so it is computed in double.
 */
struct bfloat16 {
    static constexpr unsigned short infinity = 0x7f80, one = 0x3f80;
    static UMSIM_HALF_FN float to_float(unsigned short __bits)
    {
        return umsim_bfloat16_to_float(__bits);
    }
    static UMSIM_HALF_FN unsigned short from_float(float __x)
    {
        return umsim_float_to_bfloat16(__x);
    }
    static UMSIM_HALF_FN unsigned short product(float __a, float __b)
    {
        return from_float(umsim_round_to_odd((double)__a * __b));
    }
    static UMSIM_HALF_FN unsigned short quotient(float __a, float __b)
    {
        return from_float(umsim_round_to_odd((double)__a / __b));
    }
    static UMSIM_HALF_FN unsigned short multiply_add(float __a, float __b, float __c)
    {
        return from_float(umsim_multiply_add_to_odd(__a, __b, __c));
    }
};

/* The bits of a __half, a __half2 and related types, and a number with these bits. */
template <class _Bits, class _Tp> UMSIM_HALF_FN _Bits half_bits(const _Tp &__value)
{
    static_assert(sizeof(_Bits) == sizeof(_Tp), "same size");
    _Bits __bits;
    __builtin_memcpy(&__bits, &__value, sizeof __bits);
    return __bits;
}

template <class _Tp, class _Raw> UMSIM_HALF_FN _Tp half_of(unsigned short __bits)
{
    return _Tp(_Raw{__bits});
}

template <class _Format> UMSIM_HALF_FN unsigned short half_from_double(double __x)
{
    return _Format::from_float(umsim_round_to_odd(__x));
}
template <class _Format> UMSIM_HALF_FN unsigned short half_from_double(double __x, int __way)
{
    const unsigned short __nearest = half_from_double<_Format>(__x);
    return umsim_half_directed(__nearest, (double)_Format::to_float(__nearest) - __x, __way);
}

/* An integer as a double, rounded to odd where it has more than 53 digits. */
template <class _Ip> UMSIM_HALF_FN double half_odd_double(_Ip __x)
{
    if (sizeof __x < 8)
        return (double)__x;
    const unsigned long long __magnitude = __x < 0 ? 0 - (unsigned long long)__x : (unsigned long long)__x;
    const double __value = __magnitude >> 53
                               ? (double)(__magnitude >> 11 | ((__magnitude & 0x7ff) != 0)) * 2048.0
                               : (double)__magnitude;
    return __x < 0 ? -__value : __value;
}

/* Out of range: the nearest value of the type. NaN: 0, or with 64 bits only the sign bit. */
template <class _Ip> UMSIM_HALF_FN _Ip half_to_integer(float __x)
{
    constexpr _Ip __most =
        _Ip(-1) > 0 ? _Ip(-1) : _Ip(((unsigned long long)1 << (sizeof(_Ip) * CHAR_BIT - 1)) - 1);
    constexpr _Ip __least = _Ip(-1) > 0 ? 0 : -__most - 1;
    constexpr _Ip __nothing = sizeof(_Ip) < 8 ? _Ip(0) : _Ip(1ull << 63);
    return __x != __x              ? __nothing
           : __x <= (float)__least ? __least
           : __x >= (float)__most  ? __most
                                   : (_Ip)__x;
}

} // namespace umsim
/** @endcond */

#endif
