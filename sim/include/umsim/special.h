/**
 * @file umsim/special.h
 * @brief Functions of mathematics that CUDA has and C's library has not: inverse and scaled error functions,
 * Bessel functions of an imaginary argument, norms. Included by umsim/math.h.
 */
#ifndef UMSIM_SPECIAL_H
#define UMSIM_SPECIAL_H

#include <math.h>

/** @name Error functions
 * @{ */
/** exp(x^2) erfc(x), which does not underflow. */
inline double erfcx(double x)
{
    if (x < 25)
        return (double)(expl((long double)x * x) * erfcl(x));
    /* The asymptotic series: its fifth term is below 1e-13 of the first from here on, and ever smaller. */
    const double t = 1 / (2 * x * x);
    return (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t)))) / (x * 1.7724538509055160273);
}

/** The x whose erf() is y: -1 and 1 give infinities. */
inline double erfinv(double y)
{
    if (!(y > -1 && y < 1))
        return y == 1 ? (double)INFINITY : y == -1 ? -(double)INFINITY : (double)NAN;
    /* A rough start from the logarithm (Winitzki's form), then Newton's method on erf(), or on erfc() near 1.
     */
    const double l = log1p(-y * y), a = 0.147, b = 2 / (3.14159265358979323846 * a) + l / 2;
    double x = copysign(sqrt(sqrt(b * b - l / a) - b), y);
    for (int i = 0; i < 4; i++) {
        const double error = y > 0.5 ? (1 - y) - erfc(x) : y < -0.5 ? erfc(-x) - (1 + y) : erf(x) - y;
        x -= error / (1.12837916709551257390 * exp(-x * x));
    }
    return x;
}

/** The x whose erfc() is y, for 0 to 2. */
inline double erfcinv(double y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? (double)INFINITY : y == 2 ? -(double)INFINITY : (double)NAN;
    if (y > 0.5)
        return erfinv(1 - y);
    const double l = log(y * (2 - y)), a = 0.147, b = 2 / (3.14159265358979323846 * a) + l / 2;
    double x = sqrt(sqrt(b * b - l / a) - b);
    for (int i = 0; i < 6; i++) /* on the logarithm: erfc() falls too fast */
        x += (log(erfc(x)) - log(y)) * erfc(x) / (1.12837916709551257390 * exp(-x * x));
    return x;
}

/** The x at which the normal distribution function is y. */
inline double normcdfinv(double y)
{
    return -1.41421356237309504880 * erfcinv(2 * y);
}

inline float erfcxf(float x)
{
    return (float)erfcx(x);
}
inline float erfinvf(float y)
{
    return (float)erfinv(y);
}
inline float erfcinvf(float y)
{
    return (float)erfcinv(y);
}
inline float normcdfinvf(float y)
{
    return (float)normcdfinv(y);
}
/** @} */

/** @cond internal */
namespace umsim
{
/* The series of I_n; all its terms are positive. */
inline double bessel_i(int n, double x)
{
    const double q = x * x / 4;
    double term = n ? x / 2 : 1, sum = 0;
    for (int k = 1; k < 2000 && sum + term != sum; k++) {
        sum += term;
        term *= q / ((double)k * (k + n));
    }
    return sum;
}
inline double norm(int count, const double *p)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = hypot(sum, p[i]);
    return sum;
}
} // namespace umsim
/** @endcond */

/** @name Bessel functions, norms, and their reciprocals
 * @{ */
inline double cyl_bessel_i0(double x)
{
    return umsim::bessel_i(0, x);
}
inline double cyl_bessel_i1(double x)
{
    return umsim::bessel_i(1, x);
}
inline float cyl_bessel_i0f(float x)
{
    return (float)umsim::bessel_i(0, x);
}
inline float cyl_bessel_i1f(float x)
{
    return (float)umsim::bessel_i(1, x);
}
/** Of `dim` numbers. */
inline double norm(int dim, const double *p)
{
    return umsim::norm(dim, p);
}
inline double rnorm(int dim, const double *p)
{
    return 1 / umsim::norm(dim, p);
}
inline float normf(int dim, const float *p)
{
    double sum = 0;
    for (int i = 0; i < dim; i++)
        sum += (double)p[i] * p[i];
    return (float)sqrt(sum);
}
inline float rnormf(int dim, const float *p)
{
    return 1 / normf(dim, p);
}
inline double norm4d(double a, double b, double c, double d)
{
    return hypot(hypot(a, b), hypot(c, d));
}
inline double rnorm3d(double a, double b, double c)
{
    return 1 / hypot(hypot(a, b), c);
}
inline double rnorm4d(double a, double b, double c, double d)
{
    return 1 / norm4d(a, b, c, d);
}
inline float norm4df(float a, float b, float c, float d)
{
    return (float)sqrt((double)a * a + (double)b * b + (double)c * c + (double)d * d);
}
inline float rnorm3df(float a, float b, float c)
{
    return (float)(1 / sqrt((double)a * a + (double)b * b + (double)c * c));
}
inline float rnorm4df(float a, float b, float c, float d)
{
    return 1 / norm4df(a, b, c, d);
}
/** @} */

#endif
