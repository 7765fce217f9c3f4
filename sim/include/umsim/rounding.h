/**
 * @file umsim/rounding.h
 * @brief Arithmetic and conversions that round down (_rd), up (_ru) or to zero (_rz). Included by
 * umsim/math.h.
 *
 * Each function computes the nearest result and the sign of its error, and moves to the neighbouring number
 * where that lies on the required side. The sign is exact, except where the error is too small to be
 * represented (products below 1e-290, of floats 1e-30). A double's product and sum at once are the
 * processor's, which is told to round so.
 */
#ifndef UMSIM_ROUNDING_H
#define UMSIM_ROUNDING_H

#include <fenv.h>
#include <math.h>

/** @cond internal */
namespace umsim
{
enum rounding { to_zero, down, up };

inline float neighbour(float __x, bool __upwards)
{
    return __builtin_nextafterf(__x, __upwards ? __builtin_inff() : -__builtin_inff());
}
inline double neighbour(double __x, bool __upwards)
{
    return __builtin_nextafter(__x, __upwards ? __builtin_inf() : -__builtin_inf());
}
inline float most(float)
{
    return __FLT_MAX__;
}
inline double most(double)
{
    return __DBL_MAX__;
}
template <class _Fp> inline bool is_finite(_Fp __x)
{
    return __x - __x == 0;
}

/* `__error`: the exact result minus the nearest one, or any number of the same sign. `__overflows`: no
 * argument was infinite. */
template <class _Fp, class _Ep>
inline _Fp directed(_Fp __nearest, _Ep __error, rounding __way, bool __overflows)
{
    const bool __upwards = __way == up || (__way == to_zero && __nearest < 0);
    if (is_finite(__nearest))
        return __error != 0 && (__error > 0) == __upwards ? neighbour(__nearest, __upwards) : __nearest;
    if (__nearest != __nearest || !__overflows || (__nearest > 0) == __upwards)
        return __nearest;
    return __upwards ? -most(__nearest) : most(__nearest);
}

template <class _Fp> inline _Fp add(_Fp __a, _Fp __b, rounding __way)
{
    const _Fp __sum = __a + __b, __back = __sum - __a;
    return directed(__sum, (__a - (__sum - __back)) + (__b - __back), __way,
                    is_finite(__a) && is_finite(__b));
}
template <class _Fp> inline _Fp multiply(_Fp __a, _Fp __b, rounding __way)
{
    const _Fp __product = __a * __b;
    return directed(__product, __builtin_fma((double)__a, (double)__b, -(double)__product), __way,
                    is_finite(__a) && is_finite(__b));
}
template <class _Fp> inline _Fp divide(_Fp __a, _Fp __b, rounding __way)
{
    const _Fp __quotient = __a / __b;
    const double __rest = __builtin_fma(-(double)__quotient, (double)__b, (double)__a);
    return directed(__quotient, __b < 0 ? -__rest : __rest, __way, is_finite(__a) && __b != 0);
}
template <class _Fp> inline _Fp root(_Fp __a, rounding __way)
{
    const _Fp __nearest = (_Fp)__builtin_sqrt((double)__a);
    return directed(__nearest, __builtin_fma(-(double)__nearest, (double)__nearest, (double)__a), __way,
                    is_finite(__a));
}
/* The product of two floats is exact as a double. If rounding the sum to float loses nothing, what the sum
 * itself lost decides. */
inline float multiply_add(float __a, float __b, float __c, rounding __way)
{
    const double __product = (double)__a * __b, __sum = __product + __c, __back = __sum - __product;
    const double __lost = (__product - (__sum - __back)) + (__c - __back);
    const float __nearest = (float)__sum;
    const double __error = __sum - __nearest;
    return directed(__nearest, __error != 0 ? __error : __lost, __way,
                    is_finite(__a) && is_finite(__b) && is_finite(__c));
}
template <class _Fp, class _Ip> inline _Fp from_integer(_Ip __x, rounding __way)
{
    const _Fp __nearest = (_Fp)__x;
    return directed(__nearest, (_Fp)((__int128)__x - (__int128)__nearest), __way, true);
}
inline float from_double(double __x, rounding __way)
{
    const float __nearest = (float)__x;
    return directed(__nearest, __x - __nearest, __way, is_finite(__x));
}
/* What is volatile is read and written where it stands: between the calls that change how is rounded. */
inline double multiply_add(double __x, double __y, double __z, rounding __way)
{
    const volatile double __a = __x, __b = __y, __c = __z;
    volatile double __result;
    const int __before = fegetround();
    fesetround(__way == up ? FE_UPWARD : __way == down ? FE_DOWNWARD : FE_TOWARDZERO);
    __result = __builtin_fma(__a, __b, __c);
    fesetround(__before);
    return __result;
}
} // namespace umsim

#define UMSIM_ROUNDED(suffix, way)                                                                           \
    inline float __fadd_##suffix(float __x, float __y)                                                       \
    {                                                                                                        \
        return umsim::add(__x, __y, umsim::way);                                                             \
    }                                                                                                        \
    inline float __fsub_##suffix(float __x, float __y)                                                       \
    {                                                                                                        \
        return umsim::add(__x, -__y, umsim::way);                                                            \
    }                                                                                                        \
    inline float __fmul_##suffix(float __x, float __y)                                                       \
    {                                                                                                        \
        return umsim::multiply(__x, __y, umsim::way);                                                        \
    }                                                                                                        \
    inline float __fdiv_##suffix(float __x, float __y)                                                       \
    {                                                                                                        \
        return umsim::divide(__x, __y, umsim::way);                                                          \
    }                                                                                                        \
    inline float __frcp_##suffix(float __x)                                                                  \
    {                                                                                                        \
        return umsim::divide(1.0f, __x, umsim::way);                                                         \
    }                                                                                                        \
    inline float __fsqrt_##suffix(float __x)                                                                 \
    {                                                                                                        \
        return umsim::root(__x, umsim::way);                                                                 \
    }                                                                                                        \
    inline float __fmaf_##suffix(float __x, float __y, float __z)                                            \
    {                                                                                                        \
        return umsim::multiply_add(__x, __y, __z, umsim::way);                                               \
    }                                                                                                        \
    inline double __fma_##suffix(double __x, double __y, double __z)                                         \
    {                                                                                                        \
        return umsim::multiply_add(__x, __y, __z, umsim::way);                                               \
    }                                                                                                        \
    inline double __dadd_##suffix(double __x, double __y)                                                    \
    {                                                                                                        \
        return umsim::add(__x, __y, umsim::way);                                                             \
    }                                                                                                        \
    inline double __dsub_##suffix(double __x, double __y)                                                    \
    {                                                                                                        \
        return umsim::add(__x, -__y, umsim::way);                                                            \
    }                                                                                                        \
    inline double __dmul_##suffix(double __x, double __y)                                                    \
    {                                                                                                        \
        return umsim::multiply(__x, __y, umsim::way);                                                        \
    }                                                                                                        \
    inline double __ddiv_##suffix(double __x, double __y)                                                    \
    {                                                                                                        \
        return umsim::divide(__x, __y, umsim::way);                                                          \
    }                                                                                                        \
    inline double __drcp_##suffix(double __x)                                                                \
    {                                                                                                        \
        return umsim::divide(1.0, __x, umsim::way);                                                          \
    }                                                                                                        \
    inline double __dsqrt_##suffix(double __x)                                                               \
    {                                                                                                        \
        return umsim::root(__x, umsim::way);                                                                 \
    }                                                                                                        \
    inline float __double2float_##suffix(double __x)                                                         \
    {                                                                                                        \
        return umsim::from_double(__x, umsim::way);                                                          \
    }                                                                                                        \
    inline float __int2float_##suffix(int __x)                                                               \
    {                                                                                                        \
        return umsim::from_integer<float>(__x, umsim::way);                                                  \
    }                                                                                                        \
    inline float __uint2float_##suffix(unsigned __x)                                                         \
    {                                                                                                        \
        return umsim::from_integer<float>(__x, umsim::way);                                                  \
    }                                                                                                        \
    inline float __ll2float_##suffix(long long __x)                                                          \
    {                                                                                                        \
        return umsim::from_integer<float>(__x, umsim::way);                                                  \
    }                                                                                                        \
    inline float __ull2float_##suffix(unsigned long long __x)                                                \
    {                                                                                                        \
        return umsim::from_integer<float>(__x, umsim::way);                                                  \
    }                                                                                                        \
    inline double __ll2double_##suffix(long long __x)                                                        \
    {                                                                                                        \
        return umsim::from_integer<double>(__x, umsim::way);                                                 \
    }                                                                                                        \
    inline double __ull2double_##suffix(unsigned long long __x)                                              \
    {                                                                                                        \
        return umsim::from_integer<double>(__x, umsim::way);                                                 \
    }
/** @endcond */

/** @name Rounded towards zero, down, up
 * @{ */
UMSIM_ROUNDED(rz, to_zero)
UMSIM_ROUNDED(rd, down)
UMSIM_ROUNDED(ru, up)
/** @} */
#undef UMSIM_ROUNDED

#endif
