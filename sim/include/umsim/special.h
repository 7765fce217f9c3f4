/**
 * @file umsim/special.h
 * @brief Mathematical functions that CUDA has and C's library does not: inverse and scaled error functions,
 * Bessel functions of an imaginary argument, norms. Included by umsim/math.h.
 */
#ifndef UMSIM_SPECIAL_H
#define UMSIM_SPECIAL_H

#include <math.h>

/** @name Error functions
 * @{ */
/** exp(x^2) erfc(x), which does not underflow. */
inline double erfcx(double __x)
{
    if (__x < 25)
        return (double)(expl((long double)__x * __x) * erfcl(__x));
    /* The asymptotic series: from here on its fifth term is below 1e-13 of the first, and decreases further.
     */
    const double __t = 1 / (2 * __x * __x);
    return (1 - __t * (1 - 3 * __t * (1 - 5 * __t * (1 - 7 * __t)))) / (__x * 1.7724538509055160273);
}

/** The x whose erf() is y: -1 and 1 give infinities. */
inline double erfinv(double __y)
{
    if (!(__y > -1 && __y < 1))
        return __y == 1 ? (double)INFINITY : __y == -1 ? -(double)INFINITY : (double)NAN;
    /* A rough start value from the logarithm (Winitzki's form), then Newton's method on erf(), or on erfc()
     * near 1. */
    const double __l = log1p(-__y * __y), __a = 0.147, __b = 2 / (3.14159265358979323846 * __a) + __l / 2;
    double __x = copysign(sqrt(sqrt(__b * __b - __l / __a) - __b), __y);
    for (int __i = 0; __i < 4; __i++) {
        const double __error = __y > 0.5    ? (1 - __y) - erfc(__x)
                               : __y < -0.5 ? erfc(-__x) - (1 + __y)
                                            : erf(__x) - __y;
        __x -= __error / (1.12837916709551257390 * exp(-__x * __x));
    }
    return __x;
}

/** The x whose erfc() is y, for 0 to 2. */
inline double erfcinv(double __y)
{
    if (!(__y > 0 && __y < 2))
        return __y == 0 ? (double)INFINITY : __y == 2 ? -(double)INFINITY : (double)NAN;
    if (__y > 0.5)
        return erfinv(1 - __y);
    const double __l = log(__y * (2 - __y)), __a = 0.147, __b = 2 / (3.14159265358979323846 * __a) + __l / 2;
    double __x = sqrt(sqrt(__b * __b - __l / __a) - __b);
    for (int __i = 0; __i < 6; __i++) /* on the logarithm: erfc() falls too fast */
        __x += (log(erfc(__x)) - log(__y)) * erfc(__x) / (1.12837916709551257390 * exp(-__x * __x));
    return __x;
}

/** The x at which the normal distribution function is y. */
inline double normcdfinv(double __y)
{
    return -1.41421356237309504880 * erfcinv(2 * __y);
}

inline float erfcxf(float __x)
{
    return (float)erfcx(__x);
}
inline float erfinvf(float __y)
{
    return (float)erfinv(__y);
}
inline float erfcinvf(float __y)
{
    return (float)erfcinv(__y);
}
inline float normcdfinvf(float __y)
{
    return (float)normcdfinv(__y);
}
/** @} */

/** @cond internal */
namespace umsim
{
/* The series of I_n; all its terms are positive. */
inline double bessel_i(int __n, double __x)
{
    const double __q = __x * __x / 4;
    double __term = __n ? __x / 2 : 1, __sum = 0;
    for (int __k = 1; __k < 2000 && __sum + __term != __sum; __k++) {
        __sum += __term;
        __term *= __q / ((double)__k * (__k + __n));
    }
    return __sum;
}
inline double norm(int __count, const double *__p)
{
    double __sum = 0;
    for (int __i = 0; __i < __count; __i++)
        __sum = hypot(__sum, __p[__i]);
    return __sum;
}
} // namespace umsim
/** @endcond */

/** @name Bessel functions, norms, and their reciprocals
 * @{ */
inline double cyl_bessel_i0(double __x)
{
    return umsim::bessel_i(0, __x);
}
inline double cyl_bessel_i1(double __x)
{
    return umsim::bessel_i(1, __x);
}
inline float cyl_bessel_i0f(float __x)
{
    return (float)umsim::bessel_i(0, __x);
}
inline float cyl_bessel_i1f(float __x)
{
    return (float)umsim::bessel_i(1, __x);
}
/** Of `__dim` numbers. */
inline double norm(int __dim, const double *__p)
{
    return umsim::norm(__dim, __p);
}
inline double rnorm(int __dim, const double *__p)
{
    return 1 / umsim::norm(__dim, __p);
}
inline float normf(int __dim, const float *__p)
{
    double __sum = 0;
    for (int __i = 0; __i < __dim; __i++)
        __sum += (double)__p[__i] * __p[__i];
    return (float)sqrt(__sum);
}
inline float rnormf(int __dim, const float *__p)
{
    return 1 / normf(__dim, __p);
}
inline double norm4d(double __a, double __b, double __c, double __d)
{
    return hypot(hypot(__a, __b), hypot(__c, __d));
}
inline double rnorm3d(double __a, double __b, double __c)
{
    return 1 / hypot(hypot(__a, __b), __c);
}
inline double rnorm4d(double __a, double __b, double __c, double __d)
{
    return 1 / norm4d(__a, __b, __c, __d);
}
inline float norm4df(float __a, float __b, float __c, float __d)
{
    return (float)sqrt((double)__a * __a + (double)__b * __b + (double)__c * __c + (double)__d * __d);
}
inline float rnorm3df(float __a, float __b, float __c)
{
    return (float)(1 / sqrt((double)__a * __a + (double)__b * __b + (double)__c * __c));
}
inline float rnorm4df(float __a, float __b, float __c, float __d)
{
    return 1 / norm4df(__a, __b, __c, __d);
}
/** @} */

#endif
