/**
 * @file cuComplex.h
 * @brief Complex numbers for host and device code, as structures of two: float2 and double2 by other names.
 *
 * Quotients and absolute values are scaled, so that they overflow only where the result does.
 */
#ifndef UMSIM_CUCOMPLEX_H
#define UMSIM_CUCOMPLEX_H
#define CU_COMPLEX_H_ /* NVIDIA's name for it: programs test whether it is defined */

#include <math.h>

#include "host_defines.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define UMSIM_COMPLEX __host__ __device__ static __inline__

/** @name Single precision @{ */
/** @return the real part. */
UMSIM_COMPLEX float cuCrealf(cuFloatComplex __x)
{
    return __x.x;
}
/** @return the imaginary part. */
UMSIM_COMPLEX float cuCimagf(cuFloatComplex __x)
{
    return __x.y;
}
/** @return r + i times the imaginary unit. */
UMSIM_COMPLEX cuFloatComplex make_cuFloatComplex(float __r, float __i)
{
    cuFloatComplex __result;
    __result.x = __r;
    __result.y = __i;
    return __result;
}
/** make_cuFloatComplex(). */
UMSIM_COMPLEX cuComplex make_cuComplex(float __x, float __y)
{
    return make_cuFloatComplex(__x, __y);
}
/** @return the conjugate. */
UMSIM_COMPLEX cuFloatComplex cuConjf(cuFloatComplex __x)
{
    return make_cuFloatComplex(__x.x, -__x.y);
}
/** @return x + y. */
UMSIM_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex __x, cuFloatComplex __y)
{
    return make_cuFloatComplex(__x.x + __y.x, __x.y + __y.y);
}
/** @return x - y. */
UMSIM_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex __x, cuFloatComplex __y)
{
    return make_cuFloatComplex(__x.x - __y.x, __x.y - __y.y);
}
/** @return x * y; intermediate results may overflow where the product does not. */
UMSIM_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex __x, cuFloatComplex __y)
{
    return make_cuFloatComplex(__x.x * __y.x - __x.y * __y.y, __x.x * __y.y + __x.y * __y.x);
}
/** @return x / y. */
UMSIM_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex __x, cuFloatComplex __y)
{
    const float __scale = 1.0f / (fabsf(__y.x) + fabsf(__y.y));
    const float __a = __x.x * __scale, __b = __x.y * __scale, __c = __y.x * __scale, __d = __y.y * __scale;
    const float __norm = 1.0f / (__c * __c + __d * __d);
    return make_cuFloatComplex((__a * __c + __b * __d) * __norm, (__b * __c - __a * __d) * __norm);
}
/** @return the absolute value. */
UMSIM_COMPLEX float cuCabsf(cuFloatComplex __x)
{
    return hypotf(__x.x, __x.y);
}
/** @return x * y + d, by fused multiplications and additions. */
UMSIM_COMPLEX cuComplex cuCfmaf(cuComplex __x, cuComplex __y, cuComplex __d)
{
    return make_cuComplex(fmaf(-__x.y, __y.y, fmaf(__x.x, __y.x, __d.x)),
                          fmaf(__x.y, __y.x, fmaf(__x.x, __y.y, __d.y)));
}
/** @} */

/** @name Double precision @{ */
/** @return the real part. */
UMSIM_COMPLEX double cuCreal(cuDoubleComplex __x)
{
    return __x.x;
}
/** @return the imaginary part. */
UMSIM_COMPLEX double cuCimag(cuDoubleComplex __x)
{
    return __x.y;
}
/** @return r + i times the imaginary unit. */
UMSIM_COMPLEX cuDoubleComplex make_cuDoubleComplex(double __r, double __i)
{
    cuDoubleComplex __result;
    __result.x = __r;
    __result.y = __i;
    return __result;
}
/** @return the conjugate. */
UMSIM_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex __x)
{
    return make_cuDoubleComplex(__x.x, -__x.y);
}
/** @return x + y. */
UMSIM_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex __x, cuDoubleComplex __y)
{
    return make_cuDoubleComplex(__x.x + __y.x, __x.y + __y.y);
}
/** @return x - y. */
UMSIM_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex __x, cuDoubleComplex __y)
{
    return make_cuDoubleComplex(__x.x - __y.x, __x.y - __y.y);
}
/** @return x * y; intermediate results may overflow where the product does not. */
UMSIM_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex __x, cuDoubleComplex __y)
{
    return make_cuDoubleComplex(__x.x * __y.x - __x.y * __y.y, __x.x * __y.y + __x.y * __y.x);
}
/** @return x / y. */
UMSIM_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex __x, cuDoubleComplex __y)
{
    const double __scale = 1.0 / (fabs(__y.x) + fabs(__y.y));
    const double __a = __x.x * __scale, __b = __x.y * __scale, __c = __y.x * __scale, __d = __y.y * __scale;
    const double __norm = 1.0 / (__c * __c + __d * __d);
    return make_cuDoubleComplex((__a * __c + __b * __d) * __norm, (__b * __c - __a * __d) * __norm);
}
/** @return the absolute value. */
UMSIM_COMPLEX double cuCabs(cuDoubleComplex __x)
{
    return hypot(__x.x, __x.y);
}
/** @return x * y + d, by fused multiplications and additions. */
UMSIM_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex __x, cuDoubleComplex __y, cuDoubleComplex __d)
{
    return make_cuDoubleComplex(fma(-__x.y, __y.y, fma(__x.x, __y.x, __d.x)),
                                fma(__x.y, __y.x, fma(__x.x, __y.y, __d.y)));
}
/** @} */

/** @return the number in double precision. */
UMSIM_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __c)
{
    return make_cuDoubleComplex(__c.x, __c.y);
}
/** @return the number, rounded to single precision. */
UMSIM_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __c)
{
    return make_cuFloatComplex((float)__c.x, (float)__c.y);
}

#endif
