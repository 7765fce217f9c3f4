/**
 * @file cuComplex.h
 * @brief Complex numbers for host and device code, as structures of two: float2 and double2 by other names.
 *
 * Quotients and absolute values are scaled, so that they overflow only where the result does.
 */
#ifndef UMSIM_CUCOMPLEX_H
#define UMSIM_CUCOMPLEX_H
#define CU_COMPLEX_H_ /* NVIDIA's name for it: programs ask whether it is there */

#include <math.h>

#include "host_defines.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define UMSIM_COMPLEX __host__ __device__ static __inline__

/** @name Single precision @{ */
/** @return the real part. */
UMSIM_COMPLEX float cuCrealf(cuFloatComplex x)
{
    return x.x;
}
/** @return the imaginary part. */
UMSIM_COMPLEX float cuCimagf(cuFloatComplex x)
{
    return x.y;
}
/** @return r + i times the imaginary unit. */
UMSIM_COMPLEX cuFloatComplex make_cuFloatComplex(float r, float i)
{
    cuFloatComplex result;
    result.x = r;
    result.y = i;
    return result;
}
/** make_cuFloatComplex(). */
UMSIM_COMPLEX cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
/** @return the conjugate. */
UMSIM_COMPLEX cuFloatComplex cuConjf(cuFloatComplex x)
{
    return make_cuFloatComplex(x.x, -x.y);
}
/** @return x + y. */
UMSIM_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x + y.x, x.y + y.y);
}
/** @return x - y. */
UMSIM_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x - y.x, x.y - y.y);
}
/** @return x * y; what stands between may overflow where the product does not. */
UMSIM_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/** @return x / y. */
UMSIM_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y)
{
    const float scale = 1.0f / (fabsf(y.x) + fabsf(y.y));
    const float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const float norm = 1.0f / (c * c + d * d);
    return make_cuFloatComplex((a * c + b * d) * norm, (b * c - a * d) * norm);
}
/** @return the absolute value. */
UMSIM_COMPLEX float cuCabsf(cuFloatComplex x)
{
    return hypotf(x.x, x.y);
}
/** @return x * y + d, by fused multiplications and additions. */
UMSIM_COMPLEX cuComplex cuCfmaf(cuComplex x, cuComplex y, cuComplex d)
{
    return make_cuComplex(fmaf(-x.y, y.y, fmaf(x.x, y.x, d.x)), fmaf(x.y, y.x, fmaf(x.x, y.y, d.y)));
}
/** @} */

/** @name Double precision @{ */
/** @return the real part. */
UMSIM_COMPLEX double cuCreal(cuDoubleComplex x)
{
    return x.x;
}
/** @return the imaginary part. */
UMSIM_COMPLEX double cuCimag(cuDoubleComplex x)
{
    return x.y;
}
/** @return r + i times the imaginary unit. */
UMSIM_COMPLEX cuDoubleComplex make_cuDoubleComplex(double r, double i)
{
    cuDoubleComplex result;
    result.x = r;
    result.y = i;
    return result;
}
/** @return the conjugate. */
UMSIM_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex x)
{
    return make_cuDoubleComplex(x.x, -x.y);
}
/** @return x + y. */
UMSIM_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x + y.x, x.y + y.y);
}
/** @return x - y. */
UMSIM_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x - y.x, x.y - y.y);
}
/** @return x * y; what stands between may overflow where the product does not. */
UMSIM_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/** @return x / y. */
UMSIM_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y)
{
    const double scale = 1.0 / (fabs(y.x) + fabs(y.y));
    const double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const double norm = 1.0 / (c * c + d * d);
    return make_cuDoubleComplex((a * c + b * d) * norm, (b * c - a * d) * norm);
}
/** @return the absolute value. */
UMSIM_COMPLEX double cuCabs(cuDoubleComplex x)
{
    return hypot(x.x, x.y);
}
/** @return x * y + d, by fused multiplications and additions. */
UMSIM_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d)
{
    return make_cuDoubleComplex(fma(-x.y, y.y, fma(x.x, y.x, d.x)), fma(x.y, y.x, fma(x.x, y.y, d.y)));
}
/** @} */

/** @return the number in double precision. */
UMSIM_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return make_cuDoubleComplex(c.x, c.y);
}
/** @return the number, rounded to single precision. */
UMSIM_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_cuFloatComplex((float)c.x, (float)c.y);
}

#endif
