/**
 * @file umsim/math.h
 * @brief The arithmetic that CUDA has and C++ has not: intrinsics, min and max, conversions. Included by
 * umsim/device.h.
 *
 * What C's math library has (sinf, sqrtf, fminf, fmaf, ...) comes from there. Functions whose GPU version is
 * less exact (__sinf, __expf, ...) are the exact ones here: the error that a GPU makes is not modelled. Works
 * in host code too. umsim/rounding.h has the other rounding modes (but __fma_rd and kin), umsim/simd.h the
 * operations on parts of an unsigned, umsim/special.h erfinv() and its kind.
 */
#ifndef UMSIM_MATH_H
#define UMSIM_MATH_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "umsim/rounding.h"
#include "umsim/simd.h"
#include "umsim/special.h"

/** @cond internal */
#define UMSIM_FN inline __attribute__((always_inline))
#define UMSIM_PAIR(A, B, R)                                                                                  \
    UMSIM_FN constexpr R min(A a, B b)                                                                       \
    {                                                                                                        \
        return (R)a < (R)b ? (R)a : (R)b;                                                                    \
    }                                                                                                        \
    UMSIM_FN constexpr R max(A a, B b)                                                                       \
    {                                                                                                        \
        return (R)a > (R)b ? (R)a : (R)b;                                                                    \
    }
/** @endcond */

/** @name min and max
 * For the pairs of types that CUDA has; of signed and unsigned, both count as unsigned. @{ */
UMSIM_PAIR(int, int, int)
UMSIM_PAIR(unsigned, unsigned, unsigned)
UMSIM_PAIR(int, unsigned, unsigned)
UMSIM_PAIR(unsigned, int, unsigned)
UMSIM_PAIR(long, long, long)
UMSIM_PAIR(unsigned long, unsigned long, unsigned long)
UMSIM_PAIR(long, unsigned long, unsigned long)
UMSIM_PAIR(unsigned long, long, unsigned long)
UMSIM_PAIR(long long, long long, long long)
UMSIM_PAIR(unsigned long long, unsigned long long, unsigned long long)
UMSIM_PAIR(long long, unsigned long long, unsigned long long)
UMSIM_PAIR(unsigned long long, long long, unsigned long long)
/* Where one is not a number the result is the other one, as fminf() has it. */
#define UMSIM_PAIR_FLOAT(A, B, R, fmin_, fmax_)                                                              \
    UMSIM_FN R min(A a, B b)                                                                                 \
    {                                                                                                        \
        return fmin_(a, b);                                                                                  \
    }                                                                                                        \
    UMSIM_FN R max(A a, B b)                                                                                 \
    {                                                                                                        \
        return fmax_(a, b);                                                                                  \
    }
UMSIM_PAIR_FLOAT(float, float, float, fminf, fmaxf)
UMSIM_PAIR_FLOAT(double, double, double, fmin, fmax)
UMSIM_PAIR_FLOAT(float, double, double, fmin, fmax)
UMSIM_PAIR_FLOAT(double, float, double, fmin, fmax)
/** @} */

/** @cond internal */
#define UMSIM_1(T, name, expression)                                                                         \
    UMSIM_FN T name(T x)                                                                                     \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_2(T, name, expression)                                                                         \
    UMSIM_FN T name(T x, T y)                                                                                \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_3(T, name, expression)                                                                         \
    UMSIM_FN T name(T x, T y, T z)                                                                           \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_TO(R, T, name, expression)                                                                     \
    UMSIM_FN R name(T x)                                                                                     \
    {                                                                                                        \
        return expression;                                                                                   \
    }
namespace umsim
{
constexpr double pi = 3.14159265358979323846;
/* The same bits as another type. */
template <class To, class From> UMSIM_FN To bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
/* Out of range, a GPU gives the nearest value that the type has, and 0 for what is no number. */
template <class I, class F> UMSIM_FN I to_integer(F x)
{
    constexpr I most = I(-1) > 0 ? I(-1) : I(((unsigned long long)1 << (sizeof(I) * CHAR_BIT - 1)) - 1);
    constexpr I least = I(-1) > 0 ? 0 : -most - 1;
    return x != x ? 0 : x <= (F)least ? least : x >= (F)most ? most : (I)x;
}
} // namespace umsim
/** @endcond */

/** @name Functions that C's library lacks
 * @{ */
UMSIM_1(float, rsqrtf, 1.0f / sqrtf(x))
UMSIM_1(double, rsqrt, 1.0 / sqrt(x))
UMSIM_1(float, rcbrtf, 1.0f / cbrtf(x))
UMSIM_1(double, rcbrt, 1.0 / cbrt(x))
UMSIM_1(float, sinpif, (float)sin(umsim::pi *fmod(x, 2.0)))
UMSIM_1(double, sinpi, sin(umsim::pi *fmod(x, 2.0)))
UMSIM_1(float, cospif, (float)cos(umsim::pi *fmod(x, 2.0)))
UMSIM_1(double, cospi, cos(umsim::pi *fmod(x, 2.0)))
UMSIM_2(float, fdividef, x / y)
UMSIM_2(double, fdivide, x / y)
UMSIM_3(float, norm3df, sqrtf(x *x + y * y + z * z))
UMSIM_3(double, norm3d, sqrt(x *x + y * y + z * z))
UMSIM_2(float, rhypotf, 1.0f / hypotf(x, y))
UMSIM_2(double, rhypot, 1.0 / hypot(x, y))
UMSIM_1(float, normcdff, 0.5f * erfcf(-x * 0.70710678118654752f))
UMSIM_1(double, normcdf, 0.5 * erfc(-x * 0.70710678118654752))
UMSIM_FN void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
UMSIM_FN void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
/** @} */

/** @name Fast versions
 * @{ */
UMSIM_1(float, __sinf, sinf(x))
UMSIM_1(float, __cosf, cosf(x))
UMSIM_1(float, __tanf, tanf(x))
UMSIM_1(float, __expf, expf(x))
UMSIM_1(float, __exp10f, exp10f(x))
UMSIM_1(float, __logf, logf(x))
UMSIM_1(float, __log2f, log2f(x))
UMSIM_1(float, __log10f, log10f(x))
UMSIM_2(float, __powf, powf(x, y))
UMSIM_2(float, __fdividef, x / y)
UMSIM_1(float, __saturatef, x > 0 ? (x < 1 ? x : 1.0f) : 0.0f)
UMSIM_FN void __sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
/** @} */

/** @name Arithmetic rounded to nearest
 * @{ */
UMSIM_2(float, __fadd_rn, x + y)
UMSIM_2(float, __fsub_rn, x - y)
UMSIM_2(float, __fmul_rn, x *y)
UMSIM_2(float, __fdiv_rn, x / y)
UMSIM_3(float, __fmaf_rn, fmaf(x, y, z))
UMSIM_1(float, __fsqrt_rn, sqrtf(x))
UMSIM_1(float, __frsqrt_rn, 1.0f / sqrtf(x))
UMSIM_1(float, __frcp_rn, 1.0f / x)
UMSIM_2(double, __dadd_rn, x + y)
UMSIM_2(double, __dsub_rn, x - y)
UMSIM_2(double, __dmul_rn, x *y)
UMSIM_2(double, __ddiv_rn, x / y)
UMSIM_3(double, __fma_rn, fma(x, y, z))
UMSIM_1(double, __dsqrt_rn, sqrt(x))
UMSIM_1(double, __drcp_rn, 1.0 / x)
/** @} */

/** @name Conversions
 * _rn to nearest (ties to even), _rz towards zero, _rd down, _ru up. @{ */
#define UMSIM_TO_INTEGER(R, F, from, to)                                                                     \
    UMSIM_TO(R, F, __##from##2##to##_rn, umsim::to_integer<R>(rint(x)))                                      \
    UMSIM_TO(R, F, __##from##2##to##_rz, umsim::to_integer<R>(trunc(x)))                                     \
    UMSIM_TO(R, F, __##from##2##to##_rd, umsim::to_integer<R>(floor(x)))                                     \
    UMSIM_TO(R, F, __##from##2##to##_ru, umsim::to_integer<R>(ceil(x)))
UMSIM_TO_INTEGER(int, float, float, int)
UMSIM_TO_INTEGER(unsigned, float, float, uint)
UMSIM_TO_INTEGER(long long, float, float, ll)
UMSIM_TO_INTEGER(unsigned long long, float, float, ull)
UMSIM_TO_INTEGER(int, double, double, int)
UMSIM_TO_INTEGER(unsigned, double, double, uint)
UMSIM_TO_INTEGER(long long, double, double, ll)
UMSIM_TO_INTEGER(unsigned long long, double, double, ull)
#undef UMSIM_TO_INTEGER
UMSIM_TO(float, int, __int2float_rn, (float)x)
UMSIM_TO(float, unsigned, __uint2float_rn, (float)x)
UMSIM_TO(float, long long, __ll2float_rn, (float)x)
UMSIM_TO(float, unsigned long long, __ull2float_rn, (float)x)
UMSIM_TO(double, int, __int2double_rn, (double)x)
UMSIM_TO(double, unsigned, __uint2double_rn, (double)x)
UMSIM_TO(double, long long, __ll2double_rn, (double)x)
UMSIM_TO(double, unsigned long long, __ull2double_rn, (double)x)
UMSIM_TO(float, double, __double2float_rn, (float)x)
UMSIM_TO(float, int, __int_as_float, umsim::bits<float>(x))
UMSIM_TO(int, float, __float_as_int, umsim::bits<int>(x))
UMSIM_TO(float, unsigned, __uint_as_float, umsim::bits<float>(x))
UMSIM_TO(unsigned, float, __float_as_uint, umsim::bits<unsigned>(x))
UMSIM_TO(double, long long, __longlong_as_double, umsim::bits<double>(x))
UMSIM_TO(long long, double, __double_as_longlong, umsim::bits<long long>(x))
UMSIM_TO(int, double, __double2hiint, (int)(umsim::bits<long long>(x) >> 32))
UMSIM_TO(int, double, __double2loint, (int)umsim::bits<long long>(x))
UMSIM_FN double __hiloint2double(int hi, int lo)
{
    return umsim::bits<double>((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}
/** @} */

/** @name Integers
 * @{ */
UMSIM_TO(int, unsigned, __popc, __builtin_popcount(x))
UMSIM_TO(int, unsigned long long, __popcll, __builtin_popcountll(x))
UMSIM_TO(int, int, __clz, x == 0 ? 32 : __builtin_clz((unsigned)x))
UMSIM_TO(int, long long, __clzll, x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
UMSIM_TO(int, int, __ffs, __builtin_ffs(x))
UMSIM_TO(int, long long, __ffsll, __builtin_ffsll(x))
UMSIM_2(int, __mul24, (int)((unsigned)((x << 8) >> 8) * (unsigned)((y << 8) >> 8)))
UMSIM_2(unsigned, __umul24, (x & 0xffffff) * (y & 0xffffff))
UMSIM_2(int, __mulhi, (int)(((long long)x * y) >> 32))
UMSIM_2(unsigned, __umulhi, (unsigned)(((unsigned long long)x * y) >> 32))
UMSIM_2(long long, __mul64hi, (long long)(((__int128)x * y) >> 64))
UMSIM_2(unsigned long long, __umul64hi, (unsigned long long)(((unsigned __int128)x * y) >> 64))
UMSIM_2(int, __hadd, (int)(((long long)x + y) >> 1))
UMSIM_2(int, __rhadd, (int)(((long long)x + y + 1) >> 1))
UMSIM_2(unsigned, __uhadd, (unsigned)(((unsigned long long)x + y) >> 1))
UMSIM_2(unsigned, __urhadd, (unsigned)(((unsigned long long)x + y + 1) >> 1))
UMSIM_2(unsigned, umin, x < y ? x : y)
UMSIM_2(unsigned, umax, x < y ? y : x)
UMSIM_2(long long, llmin, x < y ? x : y)
UMSIM_2(long long, llmax, x < y ? y : x)
UMSIM_2(unsigned long long, ullmin, x < y ? x : y)
UMSIM_2(unsigned long long, ullmax, x < y ? y : x)
/** |x - y| + z */
UMSIM_FN unsigned __sad(int x, int y, unsigned z)
{
    return (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + z;
}
/** Same, unsigned. */
UMSIM_FN unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    return (x > y ? x - y : y - x) + z;
}
/** The bits in reverse order. */
UMSIM_FN unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
/** Same, 64 bits. */
UMSIM_FN unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
/** Bytes of y:x, chosen by the lower three bits of each of the selector's four digits. */
UMSIM_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++)
        result |= (unsigned)(both >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}
/** The upper half of hi:lo shifted left by shift & 31. */
UMSIM_FN unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) << (shift & 31) >> 32);
}
/** The upper half of hi:lo shifted left by shift, at most 32. */
UMSIM_FN unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? lo : (unsigned)(((unsigned long long)hi << 32 | lo) << shift >> 32);
}
/** The lower half of hi:lo shifted right by shift, at most 32. */
UMSIM_FN unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? hi : (unsigned)(((unsigned long long)hi << 32 | lo) >> shift);
}
/** The lower half of hi:lo shifted right by shift & 31. */
UMSIM_FN unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
/** @} */

#undef UMSIM_PAIR
#undef UMSIM_PAIR_FLOAT
#undef UMSIM_1
#undef UMSIM_2
#undef UMSIM_3
#undef UMSIM_TO
#undef UMSIM_FN

#endif
