/**
 * @file umsim/ptx_arithmetic.h
 * @brief PTX's arithmetic instructions, and those that rearrange bits. Part of umsim/ptx.h.
 */
#ifndef UMSIM_PTX_ARITHMETIC_H
#define UMSIM_PTX_ARITHMETIC_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include "umsim/math.h"
#include "umsim/ptx_operands.h"
#include "umsim/simd.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/** @name Arithmetic @{ */
template <class _Tp> struct no_sign {
    typedef _Tp type;
};
template <> struct no_sign<int8_t> {
    typedef uint8_t type;
};
template <> struct no_sign<int16_t> {
    typedef uint16_t type;
};
template <> struct no_sign<int> {
    typedef unsigned type;
};
template <> struct no_sign<long long> {
    typedef unsigned long long type;
};
template <class _Tp> using bits_of = typename no_sign<_Tp>::type;
template <class _Tp> constexpr int width()
{
    return (int)sizeof(_Tp) * CHAR_BIT;
}
template <class _Tp> constexpr bool is_signed()
{
    return (_Tp)-1 < (_Tp)1;
}
template <class _Tp> struct twice;
template <> struct twice<int16_t> {
    typedef int type;
};
template <> struct twice<uint16_t> {
    typedef unsigned type;
};
template <> struct twice<int> {
    typedef long long type;
};
template <> struct twice<unsigned> {
    typedef unsigned long long type;
};
template <> struct twice<long long> {
    typedef __int128 type;
};
template <> struct twice<unsigned long long> {
    typedef unsigned __int128 type;
};
template <class _Tp> using twice_of = typename twice<_Tp>::type;

template <class _Tp> inline _Tp add(_Tp __a, _Tp __b)
{
    return (_Tp)((bits_of<_Tp>)__a + (bits_of<_Tp>)__b);
}
template <class _Tp> inline _Tp sub(_Tp __a, _Tp __b)
{
    return (_Tp)((bits_of<_Tp>)__a - (bits_of<_Tp>)__b);
}
template <class _Tp> inline _Tp mul_lo(_Tp __a, _Tp __b)
{
    return (_Tp)((unsigned long long)__a * (unsigned long long)__b);
}
template <class _Tp> inline _Tp mul_hi(_Tp __a, _Tp __b)
{
    return (_Tp)(((twice_of<_Tp>)__a * (twice_of<_Tp>)__b) >> width<_Tp>());
}
template <class _Tp> inline twice_of<_Tp> mul_wide(_Tp __a, _Tp __b)
{
    return (twice_of<_Tp>)__a * (twice_of<_Tp>)__b;
}
template <class _Tp> inline _Tp mad_lo(_Tp __a, _Tp __b, _Tp __c)
{
    return add<_Tp>(mul_lo<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp mad_hi(_Tp __a, _Tp __b, _Tp __c)
{
    return add<_Tp>(mul_hi<_Tp>(__a, __b), __c);
}
template <class _Tp> inline twice_of<_Tp> mad_wide(_Tp __a, _Tp __b, twice_of<_Tp> __c)
{
    return add<twice_of<_Tp>>(mul_wide<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp mul24(_Tp __a, _Tp __b)
{
    const int __cut = 8;
    return mul_lo<_Tp>((_Tp)((bits_of<_Tp>)__a << __cut) >> __cut,
                       (_Tp)((bits_of<_Tp>)__b << __cut) >> __cut);
}
template <class _Tp> inline _Tp mad24(_Tp __a, _Tp __b, _Tp __c)
{
    return add<_Tp>(mul24<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp mul_real(_Tp __a, _Tp __b)
{
    return __a * __b;
}
inline float fused(float __a, float __b, float __c)
{
    return fmaf(__a, __b, __c);
}
inline double fused(double __a, double __b, double __c)
{
    return ::fma(__a, __b, __c);
}
template <class _Tp> inline _Tp fma(_Tp __a, _Tp __b, _Tp __c)
{
    return fused(__a, __b, __c);
}
template <class _Tp> inline _Tp saturated(_Tp __x)
{
    return __x > 0 ? (__x < 1 ? __x : (_Tp)1) : (_Tp)0;
}
/* Sums that saturate at the limits of their type; those of floating-point numbers at 0 and 1. */
template <class _Tp> inline _Tp in_type(long long __sum)
{
    return __sum > INT_MAX ? (_Tp)INT_MAX : __sum < INT_MIN ? (_Tp)INT_MIN : (_Tp)__sum;
}
template <class _Tp> inline _Tp add_sat(_Tp __a, _Tp __b)
{
    if (is_real<_Tp>::value)
        return saturated<_Tp>(add<_Tp>(__a, __b));
    return in_type<_Tp>((long long)__a + (long long)__b);
}
template <class _Tp> inline _Tp sub_sat(_Tp __a, _Tp __b)
{
    if (is_real<_Tp>::value)
        return saturated<_Tp>(sub<_Tp>(__a, __b));
    return in_type<_Tp>((long long)__a - (long long)__b);
}
template <class _Tp> inline _Tp div(_Tp __a, _Tp __b)
{
    return is_real<_Tp>::value || __b != 0 ? (_Tp)(__a / __b) : (_Tp)-1;
}
template <class _Tp> inline _Tp rem(_Tp __a, _Tp __b)
{
    return __b != 0 ? (_Tp)(__a % __b) : __a;
}
template <class _Tp> inline _Tp neg(_Tp __a)
{
    return is_real<_Tp>::value ? (_Tp)-__a : (_Tp)(0 - (bits_of<_Tp>)__a);
}
template <class _Tp> inline _Tp abs(_Tp __a)
{
    return is_real<_Tp>::value ? (_Tp)fabs((double)__a) : __a < 0 ? neg<_Tp>(__a) : __a;
}
/* Of a number and NaN, the number. */
template <class _Tp> inline _Tp min(_Tp __a, _Tp __b)
{
    return __b != __b || __a < __b ? __a : __b;
}
template <class _Tp> inline _Tp max(_Tp __a, _Tp __b)
{
    return __b != __b || __a > __b ? __a : __b;
}
template <class _Tp> inline _Tp sad(_Tp __a, _Tp __b, _Tp __c)
{
    return add<_Tp>(__c, __a < __b ? sub<_Tp>(__b, __a) : sub<_Tp>(__a, __b));
}
template <class _Tp> inline _Tp sqrt(_Tp __a)
{
    return (_Tp)::sqrt(__a);
}
template <class _Tp> inline _Tp rsqrt(_Tp __a)
{
    return 1 / (_Tp)::sqrt(__a);
}
template <class _Tp> inline _Tp rcp(_Tp __a)
{
    return 1 / __a;
}
template <class _Tp> inline _Tp ex2(_Tp __a)
{
    return (_Tp)::exp2((double)__a);
}
template <class _Tp> inline _Tp lg2(_Tp __a)
{
    return (_Tp)::log2((double)__a);
}
template <class _Tp> inline _Tp sin(_Tp __a)
{
    return (_Tp)::sin((double)__a);
}
template <class _Tp> inline _Tp cos(_Tp __a)
{
    return (_Tp)::cos((double)__a);
}
template <class _Tp> inline _Tp tanh(_Tp __a)
{
    return (_Tp)::tanh((double)__a);
}
/* PTX's order: the first operand gives the sign. */
template <class _Tp> inline _Tp copysign(_Tp __sign, _Tp __value)
{
    return (_Tp)::copysign((double)__value, (double)__sign);
}
/** @} */

/** @name Bits @{ */
template <class _Tp> inline _Tp bit_and(_Tp __a, _Tp __b)
{
    return (_Tp)(__a & __b);
}
template <class _Tp> inline _Tp bit_or(_Tp __a, _Tp __b)
{
    return (_Tp)(__a | __b);
}
template <class _Tp> inline _Tp bit_xor(_Tp __a, _Tp __b)
{
    return (_Tp)(__a ^ __b);
}
template <class _Tp> inline _Tp bit_not(_Tp __a)
{
    return (_Tp)~__a;
}
template <> inline bool bit_not<bool>(bool __a)
{
    return !__a;
}
template <class _Tp> inline _Tp cnot(_Tp __a)
{
    return __a == 0;
}
template <class _Tp> inline _Tp shl(_Tp __a, unsigned __by)
{
    return __by >= (unsigned)width<_Tp>() ? (_Tp)0 : (_Tp)((bits_of<_Tp>)__a << __by);
}
template <class _Tp> inline _Tp shr(_Tp __a, unsigned __by)
{
    const unsigned __most = (unsigned)width<_Tp>() - 1;
    return __by <= __most ? (_Tp)(__a >> __by) : is_signed<_Tp>() ? (_Tp)(__a >> __most) : (_Tp)0;
}
template <class _Tp> inline unsigned popc(_Tp __a)
{
    return (unsigned)__popcll((long long)__a);
}
template <class _Tp> inline unsigned clz(_Tp __a)
{
    return (unsigned)__clzll((long long)__a) - (64 - (unsigned)width<_Tp>());
}
template <class _Tp> inline _Tp brev(_Tp __a)
{
    return (_Tp)(__brevll(__a) >> (64 - width<_Tp>()));
}
/* The highest bit that differs from the sign. */
template <class _Tp> inline unsigned bfind(_Tp __a)
{
    const bits_of<_Tp> __seen = (bits_of<_Tp>)(is_signed<_Tp>() && __a < 0 ? ~__a : __a);
    return __seen == 0 ? 0xffffffffu : (unsigned)width<_Tp>() - 1 - clz<bits_of<_Tp>>(__seen);
}
template <class _Tp> inline _Tp bfe(_Tp __a, unsigned __first, unsigned __length)
{
    const unsigned __most = (unsigned)width<_Tp>() - 1;
    _Tp __result = 0;
    __first &= 255, __length &= 255;
    const unsigned __sign = !is_signed<_Tp>() || __length == 0
                                ? 0
                                : (unsigned)(shr<_Tp>(__a, min(__first + __length - 1, __most)) & 1);
    for (unsigned __i = 0; __i <= __most; __i++) {
        const unsigned __bit =
            __i < __length && __first + __i <= __most ? (unsigned)((__a >> (__first + __i)) & 1) : __sign;
        __result = (_Tp)((bits_of<_Tp>)__result | (bits_of<_Tp>)((bits_of<_Tp>)__bit << __i));
    }
    return __result;
}
template <class _Tp> inline _Tp bfi(_Tp __from, _Tp __into, unsigned __first, unsigned __length)
{
    __first &= 255, __length &= 255;
    const _Tp __mask = shl<_Tp>(
        __length >= (unsigned)width<_Tp>() ? (_Tp) ~(_Tp)0 : (_Tp)(((_Tp)1 << __length) - 1), __first);
    return (_Tp)((__into & ~__mask) | (shl<_Tp>(__from, __first) & __mask));
}
template <class _Tp> inline _Tp lop3(_Tp __a, _Tp __b, _Tp __c, unsigned __table)
{
    _Tp __result = 0;
    for (unsigned __i = 0; __i < 8; __i++)
        if ((__table >> __i) & 1)
            __result |= (__i & 4 ? __a : ~__a) & (__i & 2 ? __b : ~__b) & (__i & 1 ? __c : ~__c);
    return __result;
}
template <class _Tp> inline _Tp prmt(_Tp __a, _Tp __b, _Tp __selector)
{
    return __byte_perm(__a, __b, __selector);
}
template <class _Tp> inline _Tp shf_l_wrap(_Tp __low, _Tp __high, unsigned __by)
{
    return __funnelshift_l(__low, __high, __by);
}
template <class _Tp> inline _Tp shf_r_wrap(_Tp __low, _Tp __high, unsigned __by)
{
    return __funnelshift_r(__low, __high, __by);
}
template <class _Tp> inline _Tp shf_l_clamp(_Tp __low, _Tp __high, unsigned __by)
{
    return __funnelshift_lc(__low, __high, __by);
}
template <class _Tp> inline _Tp shf_r_clamp(_Tp __low, _Tp __high, unsigned __by)
{
    return __funnelshift_rc(__low, __high, __by);
}
template <class _Tp> inline _Tp dp4a(_Tp __a, _Tp __b, _Tp __c)
{
    return __dp4a(__a, __b, __c);
}
/** @} */

} // namespace ptx
} // namespace umsim
/** @endcond */

#endif
