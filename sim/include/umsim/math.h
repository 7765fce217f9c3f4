/**
 * @file umsim/math.h
 * @brief Arithmetic that CUDA has and C++ does not: intrinsics, min and max, conversions. Included by
 * umsim/device.h.
 *
 * What C's math library has (sinf, sqrtf, fminf, fmaf, ...) comes from there. Functions whose GPU version
 * is less exact (__sinf, __expf, ...) are exact here: a GPU's error is not modelled. All of this also works
 * in host code. umsim/rounding.h has the other rounding modes, umsim/simd.h
 * the operations on parts of an unsigned, umsim/special.h erfinv() and related functions.
 */
#ifndef UMSIM_MATH_H
#define UMSIM_MATH_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "umsim/rounding.h"
#include "umsim/dpx.h"
#include "umsim/simd.h"
#include "umsim/special.h"
#include "umsim/undefined.h"

/** @cond internal */
#define UMSIM_FN inline __attribute__((__always_inline__))
/* The same, but a call in the form that counts, because a GPU has it in some instructions (umcc/segments.h).
 */
#define UMSIM_STEP inline __attribute__((__always_inline__, __no_icf__))
#define UMSIM_PAIR(A, B, R)                                                                                  \
    UMSIM_FN constexpr R min(A __a, B __b)                                                                   \
    {                                                                                                        \
        return (R)__a < (R)__b ? (R)__a : (R)__b;                                                            \
    }                                                                                                        \
    UMSIM_FN constexpr R max(A __a, B __b)                                                                   \
    {                                                                                                        \
        return (R)__a > (R)__b ? (R)__a : (R)__b;                                                            \
    }
/** @endcond */

/**
 * @name min and max
 * For the pairs of types that CUDA has. If one is signed and one unsigned, both count as unsigned.
 * @{
 */
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
/**
 * fmaxf() and the like of device code, in a form that compilers make for several elements at a time: of NaN
 * and a number the number, and +0 is greater than -0. Where a program has them in another way, such as by a
 * pointer, they are those of sim/devlib/extremes.c.
 * @{
 */
#define UMSIM_EXTREME(T, word, name, among_equals, than)                                                     \
    UMSIM_FN T name(T __a, T __b)                                                                            \
    {                                                                                                        \
        word __x, __y;                                                                                       \
        __builtin_memcpy(&__x, &__a, sizeof __x);                                                            \
        __builtin_memcpy(&__y, &__b, sizeof __y);                                                            \
        __x among_equals __y;                                                                                \
        T __equal;                                                                                           \
        __builtin_memcpy(&__equal, &__x, sizeof __equal);                                                    \
        return __a == __b ? __equal : __a than __b || __b != __b ? __a : __b;                                \
    }
UMSIM_EXTREME(float, uint32_t, umsim_fmaxf, &=, >)
UMSIM_EXTREME(float, uint32_t, umsim_fminf, |=, <)
UMSIM_EXTREME(double, uint64_t, umsim_fmax, &=, >)
UMSIM_EXTREME(double, uint64_t, umsim_fmin, |=, <)
#undef UMSIM_EXTREME
/** @} */
/* If one is NaN, the result is the other one, as with fminf(). */
#define UMSIM_PAIR_FLOAT(A, B, R, fmin_, fmax_)                                                              \
    UMSIM_FN R min(A __a, B __b)                                                                             \
    {                                                                                                        \
        return fmin_(__a, __b);                                                                              \
    }                                                                                                        \
    UMSIM_FN R max(A __a, B __b)                                                                             \
    {                                                                                                        \
        return fmax_(__a, __b);                                                                              \
    }
UMSIM_PAIR_FLOAT(float, float, float, umsim_fminf, umsim_fmaxf)
UMSIM_PAIR_FLOAT(double, double, double, umsim_fmin, umsim_fmax)
UMSIM_PAIR_FLOAT(float, double, double, umsim_fmin, umsim_fmax)
UMSIM_PAIR_FLOAT(double, float, double, umsim_fmin, umsim_fmax)
/** @} */

/** @cond internal */
#define UMSIM_1(T, name, expression)                                                                         \
    UMSIM_FN T name(T __x)                                                                                   \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_2(T, name, expression)                                                                         \
    UMSIM_FN T name(T __x, T __y)                                                                            \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_STEP_1(T, name, expression)                                                                    \
    UMSIM_STEP T name(T __x)                                                                                 \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_STEP_2(T, name, expression)                                                                    \
    UMSIM_STEP T name(T __x, T __y)                                                                          \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_3(T, name, expression)                                                                         \
    UMSIM_FN T name(T __x, T __y, T __z)                                                                     \
    {                                                                                                        \
        return expression;                                                                                   \
    }
#define UMSIM_TO(R, T, name, expression)                                                                     \
    UMSIM_FN R name(T __x)                                                                                   \
    {                                                                                                        \
        return expression;                                                                                   \
    }
namespace umsim
{
constexpr double pi = 3.14159265358979323846;
/* The same bits as another type. */
template <class _To, class _From> UMSIM_FN _To bits(_From __from)
{
    static_assert(sizeof(_To) == sizeof(_From), "same size");
    _To __to;
    memcpy(&__to, &__from, sizeof __to);
    return __to;
}
} // namespace umsim
/** @endcond */

/** @name Functions that C's library lacks
 * @{ */
UMSIM_STEP_1(float, rsqrtf, 1.0f / sqrtf(__x))
UMSIM_STEP_1(double, rsqrt, 1.0 / sqrt(__x))
UMSIM_1(float, rcbrtf, 1.0f / cbrtf(__x))
UMSIM_1(double, rcbrt, 1.0 / cbrt(__x))
UMSIM_1(float, sinpif, (float)sin(umsim::pi *fmod(__x, 2.0)))
UMSIM_1(double, sinpi, sin(umsim::pi *fmod(__x, 2.0)))
UMSIM_1(float, cospif, (float)cos(umsim::pi *fmod(__x, 2.0)))
UMSIM_1(double, cospi, cos(umsim::pi *fmod(__x, 2.0)))
UMSIM_STEP_2(float, fdividef, __x / __y)
UMSIM_2(double, fdivide, __x / __y)
UMSIM_3(float, norm3df, sqrtf(__x *__x + __y * __y + __z * __z))
UMSIM_3(double, norm3d, sqrt(__x *__x + __y * __y + __z * __z))
UMSIM_2(float, rhypotf, 1.0f / hypotf(__x, __y))
UMSIM_2(double, rhypot, 1.0 / hypot(__x, __y))
UMSIM_1(float, normcdff, 0.5f * erfcf(-__x * 0.70710678118654752f))
UMSIM_1(double, normcdf, 0.5 * erfc(-__x * 0.70710678118654752))
UMSIM_FN void sincos(float __x, float *__s, float *__c) /* as C++ overloads sin() */
{
    sincosf(__x, __s, __c);
}
UMSIM_FN void sincospif(float __x, float *__s, float *__c)
{
    *__s = sinpif(__x);
    *__c = cospif(__x);
}
UMSIM_FN void sincospi(double __x, double *__s, double *__c)
{
    *__s = sinpi(__x);
    *__c = cospi(__x);
}
/** @} */

/** @name Fast versions
 * @{ */
UMSIM_STEP_1(float, __sinf, sinf(__x))
UMSIM_STEP_1(float, __cosf, cosf(__x))
UMSIM_STEP_1(float, __tanf, tanf(__x))
UMSIM_STEP_1(float, __expf, expf(__x))
UMSIM_STEP_1(float, __exp10f, exp10f(__x))
UMSIM_STEP_1(float, __logf, logf(__x))
UMSIM_STEP_1(float, __log2f, log2f(__x))
UMSIM_STEP_1(float, __log10f, log10f(__x))
UMSIM_STEP_2(float, __powf, powf(__x, __y))
UMSIM_STEP_2(float, __fdividef, __x / __y)
UMSIM_1(float, __saturatef, __x > 0 ? (__x < 1 ? __x : 1.0f) : 0.0f)
UMSIM_FN void __sincosf(float __x, float *__s, float *__c)
{
    *__s = sinf(__x);
    *__c = cosf(__x);
}
/** @} */

/** @name Arithmetic rounded to nearest
 * @{ */
UMSIM_2(float, __fadd_rn, __x + __y)
UMSIM_2(float, __fsub_rn, __x - __y)
UMSIM_2(float, __fmul_rn, __x *__y)
UMSIM_2(float, __fdiv_rn, __x / __y)
UMSIM_3(float, __fmaf_rn, fmaf(__x, __y, __z))
UMSIM_1(float, __fsqrt_rn, sqrtf(__x))
UMSIM_STEP_1(float, __frsqrt_rn, 1.0f / sqrtf(__x))
UMSIM_STEP_1(float, __frcp_rn, 1.0f / __x)
UMSIM_2(double, __dadd_rn, __x + __y)
UMSIM_2(double, __dsub_rn, __x - __y)
UMSIM_2(double, __dmul_rn, __x *__y)
UMSIM_2(double, __ddiv_rn, __x / __y)
UMSIM_3(double, __fma_rn, fma(__x, __y, __z))
UMSIM_1(double, __dsqrt_rn, sqrt(__x))
UMSIM_1(double, __drcp_rn, 1.0 / __x)
/** @} */

/** @name Conversions
 * _rn to nearest (ties to even), _rz towards zero, _rd down, _ru up. @{ */
#define UMSIM_TO_INTEGER(R, F, from, to)                                                                     \
    UMSIM_TO(R, F, __##from##2##to##_rn, umsim::defined::saturate<R>(rint(__x)))                             \
    UMSIM_TO(R, F, __##from##2##to##_rz, umsim::defined::saturate<R>(trunc(__x)))                            \
    UMSIM_TO(R, F, __##from##2##to##_rd, umsim::defined::saturate<R>(floor(__x)))                            \
    UMSIM_TO(R, F, __##from##2##to##_ru, umsim::defined::saturate<R>(ceil(__x)))
UMSIM_TO_INTEGER(int, float, float, int)
UMSIM_TO_INTEGER(unsigned, float, float, uint)
UMSIM_TO_INTEGER(long long, float, float, ll)
UMSIM_TO_INTEGER(unsigned long long, float, float, ull)
UMSIM_TO_INTEGER(int, double, double, int)
UMSIM_TO_INTEGER(unsigned, double, double, uint)
UMSIM_TO_INTEGER(long long, double, double, ll)
UMSIM_TO_INTEGER(unsigned long long, double, double, ull)
#undef UMSIM_TO_INTEGER
UMSIM_TO(float, int, __int2float_rn, (float)__x)
UMSIM_TO(float, unsigned, __uint2float_rn, (float)__x)
UMSIM_TO(float, long long, __ll2float_rn, (float)__x)
UMSIM_TO(float, unsigned long long, __ull2float_rn, (float)__x)
UMSIM_TO(double, int, __int2double_rn, (double)__x)
UMSIM_TO(double, unsigned, __uint2double_rn, (double)__x)
UMSIM_TO(double, long long, __ll2double_rn, (double)__x)
UMSIM_TO(double, unsigned long long, __ull2double_rn, (double)__x)
UMSIM_TO(float, double, __double2float_rn, (float)__x)
UMSIM_TO(float, int, __int_as_float, umsim::bits<float>(__x))
UMSIM_TO(int, float, __float_as_int, umsim::bits<int>(__x))
UMSIM_TO(float, unsigned, __uint_as_float, umsim::bits<float>(__x))
UMSIM_TO(unsigned, float, __float_as_uint, umsim::bits<unsigned>(__x))
UMSIM_TO(double, long long, __longlong_as_double, umsim::bits<double>(__x))
UMSIM_TO(long long, double, __double_as_longlong, umsim::bits<long long>(__x))
UMSIM_TO(int, double, __double2hiint, (int)(umsim::bits<long long>(__x) >> 32))
UMSIM_TO(int, double, __double2loint, (int)umsim::bits<long long>(__x))
UMSIM_FN double __hiloint2double(int __hi, int __lo)
{
    return umsim::bits<double>((long long)((unsigned long long)(unsigned)__hi << 32 | (unsigned)__lo));
}
/** @} */

/** @name Integers
 * @{ */
UMSIM_TO(int, unsigned, __popc, __builtin_popcount(__x))
UMSIM_TO(int, unsigned long long, __popcll, __builtin_popcountll(__x))
UMSIM_TO(int, int, __clz, __x == 0 ? 32 : __builtin_clz((unsigned)__x))
UMSIM_TO(int, long long, __clzll, __x == 0 ? 64 : __builtin_clzll((unsigned long long)__x))
UMSIM_TO(int, int, __ffs, __builtin_ffs(__x))
UMSIM_TO(int, long long, __ffsll, __builtin_ffsll(__x))
UMSIM_2(int, __mul24, (int)((unsigned)((__x << 8) >> 8) * (unsigned)((__y << 8) >> 8)))
UMSIM_2(unsigned, __umul24, (__x & 0xffffff) * (__y & 0xffffff))
UMSIM_2(int, __mulhi, (int)(((long long)__x * __y) >> 32))
UMSIM_2(unsigned, __umulhi, (unsigned)(((unsigned long long)__x * __y) >> 32))
UMSIM_2(long long, __mul64hi, (long long)(((__int128)__x * __y) >> 64))
UMSIM_2(unsigned long long, __umul64hi, (unsigned long long)(((unsigned __int128)__x * __y) >> 64))
UMSIM_2(int, __hadd, (int)(((long long)__x + __y) >> 1))
UMSIM_2(int, __rhadd, (int)(((long long)__x + __y + 1) >> 1))
UMSIM_2(unsigned, __uhadd, (unsigned)(((unsigned long long)__x + __y) >> 1))
UMSIM_2(unsigned, __urhadd, (unsigned)(((unsigned long long)__x + __y + 1) >> 1))
UMSIM_2(unsigned, umin, __x < __y ? __x : __y)
UMSIM_2(unsigned, umax, __x < __y ? __y : __x)
UMSIM_2(long long, llmin, __x < __y ? __x : __y)
UMSIM_2(long long, llmax, __x < __y ? __y : __x)
UMSIM_2(unsigned long long, ullmin, __x < __y ? __x : __y)
UMSIM_2(unsigned long long, ullmax, __x < __y ? __y : __x)
/** |x - y| + z */
UMSIM_FN unsigned __sad(int __x, int __y, unsigned __z)
{
    return (__x > __y ? (unsigned)__x - (unsigned)__y : (unsigned)__y - (unsigned)__x) + __z;
}
/** Same, unsigned. */
UMSIM_FN unsigned __usad(unsigned __x, unsigned __y, unsigned __z)
{
    return (__x > __y ? __x - __y : __y - __x) + __z;
}
/** The bits in reverse order. */
UMSIM_FN unsigned __brev(unsigned __x)
{
    __x = (__x >> 1 & 0x55555555u) | (__x & 0x55555555u) << 1;
    __x = (__x >> 2 & 0x33333333u) | (__x & 0x33333333u) << 2;
    __x = (__x >> 4 & 0x0f0f0f0fu) | (__x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(__x);
}
/** Same, 64 bits. */
UMSIM_FN unsigned long long __brevll(unsigned long long __x)
{
    return (unsigned long long)__brev((unsigned)__x) << 32 | __brev((unsigned)(__x >> 32));
}
/** Bytes of y:x, chosen by the lower three bits of each of the selector's four digits. */
UMSIM_FN unsigned __byte_perm(unsigned __x, unsigned __y, unsigned __selector)
{
    const unsigned long long __both = (unsigned long long)__y << 32 | __x;
    unsigned __result = 0;
    for (int __i = 0; __i < 4; __i++)
        __result |= (unsigned)(__both >> (__selector >> 4 * __i & 7) * 8 & 0xff) << 8 * __i;
    return __result;
}
/** The upper half of hi:lo shifted left by shift & 31. */
UMSIM_FN unsigned __funnelshift_l(unsigned __lo, unsigned __hi, unsigned __shift)
{
    return (unsigned)(((unsigned long long)__hi << 32 | __lo) << (__shift & 31) >> 32);
}
/** The upper half of hi:lo shifted left by shift, at most 32. */
UMSIM_FN unsigned __funnelshift_lc(unsigned __lo, unsigned __hi, unsigned __shift)
{
    return __shift >= 32 ? __lo : (unsigned)(((unsigned long long)__hi << 32 | __lo) << __shift >> 32);
}
/** The lower half of hi:lo shifted right by shift, at most 32. */
UMSIM_FN unsigned __funnelshift_rc(unsigned __lo, unsigned __hi, unsigned __shift)
{
    return __shift >= 32 ? __hi : (unsigned)(((unsigned long long)__hi << 32 | __lo) >> __shift);
}
/** The lower half of hi:lo shifted right by shift & 31. */
UMSIM_FN unsigned __funnelshift_r(unsigned __lo, unsigned __hi, unsigned __shift)
{
    return (unsigned)(((unsigned long long)__hi << 32 | __lo) >> (__shift & 31));
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
