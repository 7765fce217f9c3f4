/**
 * @file umsim/ptx_conversions.h
 * @brief PTX's instructions that choose between values, and those that convert them. Part of umsim/ptx.h.
 */
#ifndef UMSIM_PTX_CONVERSIONS_H
#define UMSIM_PTX_CONVERSIONS_H

#include <math.h>
#include "umsim/math.h"
#include "umsim/ptx_operands.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/** @name Choices and conversions @{ */
template <class _Tp> inline _Tp mov(_Tp __a)
{
    return __a;
}
template <class _Tp> inline _Tp selp(_Tp __a, _Tp __b, bool __first)
{
    return __first ? __a : __b;
}
/* Comparisons: those in the second half are true for NaN. */
template <class _Tp> inline bool eq(_Tp __a, _Tp __b)
{
    return __a == __b;
}
template <class _Tp> inline bool ne(_Tp __a, _Tp __b)
{
    return __a < __b || __a > __b;
}
template <class _Tp> inline bool lt(_Tp __a, _Tp __b)
{
    return __a < __b;
}
template <class _Tp> inline bool le(_Tp __a, _Tp __b)
{
    return __a <= __b;
}
template <class _Tp> inline bool gt(_Tp __a, _Tp __b)
{
    return __a > __b;
}
template <class _Tp> inline bool ge(_Tp __a, _Tp __b)
{
    return __a >= __b;
}
template <class _Tp> inline bool equ(_Tp __a, _Tp __b)
{
    return !ne(__a, __b);
}
template <class _Tp> inline bool neu(_Tp __a, _Tp __b)
{
    return !(__a == __b);
}
template <class _Tp> inline bool ltu(_Tp __a, _Tp __b)
{
    return !(__a >= __b);
}
template <class _Tp> inline bool leu(_Tp __a, _Tp __b)
{
    return !(__a > __b);
}
template <class _Tp> inline bool gtu(_Tp __a, _Tp __b)
{
    return !(__a <= __b);
}
template <class _Tp> inline bool geu(_Tp __a, _Tp __b)
{
    return !(__a < __b);
}
template <class _Tp> inline bool num(_Tp __a, _Tp __b)
{
    return __a == __a && __b == __b;
}
template <class _Tp> inline bool nan(_Tp __a, _Tp __b)
{
    return __a != __a || __b != __b;
}

/* A floating-point number as an integer: the nearest value of the type, 0 for NaN. */
template <class _Tp> inline _Tp to_integer(double __x)
{
    if (__x != __x)
        return 0;
    const double __most = is_signed<_Tp>() ? ::ldexp(1, width<_Tp>() - 1) : ::ldexp(1, width<_Tp>());
    if (__x >= __most)
        return (_Tp) ~(is_signed<_Tp>() ? (bits_of<_Tp>)1 << (width<_Tp>() - 1) : (bits_of<_Tp>)0);
    if (__x < (is_signed<_Tp>() ? -__most : 0.0))
        return is_signed<_Tp>() ? (_Tp)((bits_of<_Tp>)1 << (width<_Tp>() - 1)) : (_Tp)0;
    return (_Tp)__x;
}
template <class _Tp, class _From> inline _Tp cvt(_From __from)
{
    return (_Tp)__from;
}
template <class _Tp, class _From> inline _Tp cvt_rni(_From __from)
{
    return is_real<_Tp>::value ? (_Tp)::nearbyint((double)__from)
                               : to_integer<_Tp>(::nearbyint((double)__from));
}
template <class _Tp, class _From> inline _Tp cvt_rzi(_From __from)
{
    return is_real<_Tp>::value ? (_Tp)::trunc((double)__from) : to_integer<_Tp>(::trunc((double)__from));
}
template <class _Tp, class _From> inline _Tp cvt_rmi(_From __from)
{
    return is_real<_Tp>::value ? (_Tp)::floor((double)__from) : to_integer<_Tp>(::floor((double)__from));
}
template <class _Tp, class _From> inline _Tp cvt_rpi(_From __from)
{
    return is_real<_Tp>::value ? (_Tp)::ceil((double)__from) : to_integer<_Tp>(::ceil((double)__from));
}
template <class _Tp, class _From> inline _Tp cvt_sat(_From __from)
{
    if (is_real<_Tp>::value)
        return (_Tp)saturated((double)__from);
    const _Tp __most = is_signed<_Tp>() ? (_Tp) ~((bits_of<_Tp>)1 << (width<_Tp>() - 1)) : (_Tp) ~(_Tp)0;
    const _Tp __least = is_signed<_Tp>() ? (_Tp)((bits_of<_Tp>)1 << (width<_Tp>() - 1)) : (_Tp)0;
    return (__int128)__from > (__int128)__most    ? __most
           : (__int128)__from < (__int128)__least ? __least
                                                  : (_Tp)__from;
}
/** @} */

} // namespace ptx
} // namespace umsim
/** @endcond */

#endif
