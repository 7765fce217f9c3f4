/**
 * @file umsim/rounding.h
 * @brief Arithmetic and conversions that round down (_rd), up (_ru) or to zero (_rz). Included by
 * umsim/math.h.
 *
 * Each computes the nearest result and the sign of its error, and goes on to the neighbour where that lies on
 * the right side. The sign is exact, but where the error is too small to be a number (products below 1e-290,
 * of floats 1e-30).
 */
#ifndef UMSIM_ROUNDING_H
#define UMSIM_ROUNDING_H

#include <float.h>
#include <math.h>

/** @cond internal */
namespace umsim
{
enum rounding { to_zero, down, up };

inline float neighbour(float x, bool upwards)
{
    return __builtin_nextafterf(x, upwards ? __builtin_inff() : -__builtin_inff());
}
inline double neighbour(double x, bool upwards)
{
    return __builtin_nextafter(x, upwards ? __builtin_inf() : -__builtin_inf());
}
inline float most(float)
{
    return FLT_MAX;
}
inline double most(double)
{
    return DBL_MAX;
}
template <class F> inline bool is_finite(F x)
{
    return x - x == 0;
}

/* `error`: the exact result minus the nearest one, or anything of its sign. `overflows`: no argument was
 * infinite. */
template <class F, class E> inline F directed(F nearest, E error, rounding way, bool overflows)
{
    const bool upwards = way == up || (way == to_zero && nearest < 0);
    if (is_finite(nearest))
        return error != 0 && (error > 0) == upwards ? neighbour(nearest, upwards) : nearest;
    if (nearest != nearest || !overflows || (nearest > 0) == upwards)
        return nearest;
    return upwards ? -most(nearest) : most(nearest);
}

template <class F> inline F add(F a, F b, rounding way)
{
    const F sum = a + b, back = sum - a;
    return directed(sum, (a - (sum - back)) + (b - back), way, is_finite(a) && is_finite(b));
}
template <class F> inline F multiply(F a, F b, rounding way)
{
    const F product = a * b;
    return directed(product, __builtin_fma((double)a, (double)b, -(double)product), way,
                    is_finite(a) && is_finite(b));
}
template <class F> inline F divide(F a, F b, rounding way)
{
    const F quotient = a / b;
    const double rest = __builtin_fma(-(double)quotient, (double)b, (double)a);
    return directed(quotient, b < 0 ? -rest : rest, way, is_finite(a) && b != 0);
}
template <class F> inline F root(F a, rounding way)
{
    const F nearest = (F)__builtin_sqrt((double)a);
    return directed(nearest, __builtin_fma(-(double)nearest, (double)nearest, (double)a), way, is_finite(a));
}
/* The product of two floats is exact as a double; the sum's own error decides where that of the rest is 0. */
inline float multiply_add(float a, float b, float c, rounding way)
{
    const double product = (double)a * b, sum = product + c, back = sum - product;
    const double lost = (product - (sum - back)) + (c - back);
    const float nearest = (float)sum;
    const double error = sum - nearest;
    return directed(nearest, error != 0 ? error : lost, way, is_finite(a) && is_finite(b) && is_finite(c));
}
template <class F, class I> inline F from_integer(I x, rounding way)
{
    const F nearest = (F)x;
    return directed(nearest, (F)((__int128)x - (__int128)nearest), way, true);
}
inline float from_double(double x, rounding way)
{
    const float nearest = (float)x;
    return directed(nearest, x - nearest, way, is_finite(x));
}
} // namespace umsim

#define UMSIM_ROUNDED(suffix, way)                                                                           \
    inline float __fadd_##suffix(float x, float y)                                                           \
    {                                                                                                        \
        return umsim::add(x, y, umsim::way);                                                                 \
    }                                                                                                        \
    inline float __fsub_##suffix(float x, float y)                                                           \
    {                                                                                                        \
        return umsim::add(x, -y, umsim::way);                                                                \
    }                                                                                                        \
    inline float __fmul_##suffix(float x, float y)                                                           \
    {                                                                                                        \
        return umsim::multiply(x, y, umsim::way);                                                            \
    }                                                                                                        \
    inline float __fdiv_##suffix(float x, float y)                                                           \
    {                                                                                                        \
        return umsim::divide(x, y, umsim::way);                                                              \
    }                                                                                                        \
    inline float __frcp_##suffix(float x)                                                                    \
    {                                                                                                        \
        return umsim::divide(1.0f, x, umsim::way);                                                           \
    }                                                                                                        \
    inline float __fsqrt_##suffix(float x)                                                                   \
    {                                                                                                        \
        return umsim::root(x, umsim::way);                                                                   \
    }                                                                                                        \
    inline float __fmaf_##suffix(float x, float y, float z)                                                  \
    {                                                                                                        \
        return umsim::multiply_add(x, y, z, umsim::way);                                                     \
    }                                                                                                        \
    inline double __dadd_##suffix(double x, double y)                                                        \
    {                                                                                                        \
        return umsim::add(x, y, umsim::way);                                                                 \
    }                                                                                                        \
    inline double __dsub_##suffix(double x, double y)                                                        \
    {                                                                                                        \
        return umsim::add(x, -y, umsim::way);                                                                \
    }                                                                                                        \
    inline double __dmul_##suffix(double x, double y)                                                        \
    {                                                                                                        \
        return umsim::multiply(x, y, umsim::way);                                                            \
    }                                                                                                        \
    inline double __ddiv_##suffix(double x, double y)                                                        \
    {                                                                                                        \
        return umsim::divide(x, y, umsim::way);                                                              \
    }                                                                                                        \
    inline double __drcp_##suffix(double x)                                                                  \
    {                                                                                                        \
        return umsim::divide(1.0, x, umsim::way);                                                            \
    }                                                                                                        \
    inline double __dsqrt_##suffix(double x)                                                                 \
    {                                                                                                        \
        return umsim::root(x, umsim::way);                                                                   \
    }                                                                                                        \
    inline float __double2float_##suffix(double x)                                                           \
    {                                                                                                        \
        return umsim::from_double(x, umsim::way);                                                            \
    }                                                                                                        \
    inline float __int2float_##suffix(int x)                                                                 \
    {                                                                                                        \
        return umsim::from_integer<float>(x, umsim::way);                                                    \
    }                                                                                                        \
    inline float __uint2float_##suffix(unsigned x)                                                           \
    {                                                                                                        \
        return umsim::from_integer<float>(x, umsim::way);                                                    \
    }                                                                                                        \
    inline float __ll2float_##suffix(long long x)                                                            \
    {                                                                                                        \
        return umsim::from_integer<float>(x, umsim::way);                                                    \
    }                                                                                                        \
    inline float __ull2float_##suffix(unsigned long long x)                                                  \
    {                                                                                                        \
        return umsim::from_integer<float>(x, umsim::way);                                                    \
    }                                                                                                        \
    inline double __ll2double_##suffix(long long x)                                                          \
    {                                                                                                        \
        return umsim::from_integer<double>(x, umsim::way);                                                   \
    }                                                                                                        \
    inline double __ull2double_##suffix(unsigned long long x)                                                \
    {                                                                                                        \
        return umsim::from_integer<double>(x, umsim::way);                                                   \
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
