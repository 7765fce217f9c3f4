/**
 * @file umsim/ptx_carries.h
 * @brief PTX's sums that leave a carry for the next one, and arithmetic that rounds up, down or towards zero.
 * Part of umsim/ptx.h.
 *
 * The carry is the thread's own, and lasts from one asm statement to the next, as on a GPU. (Threads that run
 * one after another share its place, so it does not last across a barrier.)
 */
#ifndef UMSIM_PTX_CARRIES_H
#define UMSIM_PTX_CARRIES_H

#include "umsim/abi.h"
#include "umsim/ptx_arithmetic.h"
#include "umsim/rounding.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/** @name Carries @{ */
/* a + b + carry; `__keeps`: the carry of that is left. */
template <class _Tp> inline _Tp sum(_Tp __a, _Tp __b, unsigned __carry, bool __keeps)
{
    bits_of<_Tp> __sum;
    bool __over = __builtin_add_overflow((bits_of<_Tp>)__a, (bits_of<_Tp>)__b, &__sum);
    __over |= __builtin_add_overflow(__sum, (bits_of<_Tp>)__carry, &__sum);
    if (__keeps)
        umsim_builtins.carry = __over;
    return (_Tp)__sum;
}
/* a - b - borrow */
template <class _Tp> inline _Tp difference(_Tp __a, _Tp __b, unsigned __borrow, bool __keeps)
{
    bits_of<_Tp> __rest;
    bool __under = __builtin_sub_overflow((bits_of<_Tp>)__a, (bits_of<_Tp>)__b, &__rest);
    __under |= __builtin_sub_overflow(__rest, (bits_of<_Tp>)__borrow, &__rest);
    if (__keeps)
        umsim_builtins.carry = __under;
    return (_Tp)__rest;
}
template <class _Tp> inline _Tp add_cc(_Tp __a, _Tp __b)
{
    return sum<_Tp>(__a, __b, 0, true);
}
template <class _Tp> inline _Tp addc(_Tp __a, _Tp __b)
{
    return sum<_Tp>(__a, __b, umsim_builtins.carry, false);
}
template <class _Tp> inline _Tp addc_cc(_Tp __a, _Tp __b)
{
    return sum<_Tp>(__a, __b, umsim_builtins.carry, true);
}
template <class _Tp> inline _Tp sub_cc(_Tp __a, _Tp __b)
{
    return difference<_Tp>(__a, __b, 0, true);
}
template <class _Tp> inline _Tp subc(_Tp __a, _Tp __b)
{
    return difference<_Tp>(__a, __b, umsim_builtins.carry, false);
}
template <class _Tp> inline _Tp subc_cc(_Tp __a, _Tp __b)
{
    return difference<_Tp>(__a, __b, umsim_builtins.carry, true);
}
template <class _Tp> inline _Tp mad_lo_cc(_Tp __a, _Tp __b, _Tp __c)
{
    return add_cc<_Tp>(mul_lo<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp mad_hi_cc(_Tp __a, _Tp __b, _Tp __c)
{
    return add_cc<_Tp>(mul_hi<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp madc_lo(_Tp __a, _Tp __b, _Tp __c)
{
    return addc<_Tp>(mul_lo<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp madc_hi(_Tp __a, _Tp __b, _Tp __c)
{
    return addc<_Tp>(mul_hi<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp madc_lo_cc(_Tp __a, _Tp __b, _Tp __c)
{
    return addc_cc<_Tp>(mul_lo<_Tp>(__a, __b), __c);
}
template <class _Tp> inline _Tp madc_hi_cc(_Tp __a, _Tp __b, _Tp __c)
{
    return addc_cc<_Tp>(mul_hi<_Tp>(__a, __b), __c);
}
/** @} */

/** @name Rounding: rz towards zero, rm down, rp up @{ */
#define UMSIM_PTX_ROUNDED(name, way)                                                                         \
    template <class _Tp> inline _Tp add_##name(_Tp __a, _Tp __b)                                             \
    {                                                                                                        \
        return umsim::add(__a, __b, umsim::way);                                                             \
    }                                                                                                        \
    template <class _Tp> inline _Tp sub_##name(_Tp __a, _Tp __b)                                             \
    {                                                                                                        \
        return umsim::add(__a, -__b, umsim::way);                                                            \
    }                                                                                                        \
    template <class _Tp> inline _Tp mul_##name(_Tp __a, _Tp __b)                                             \
    {                                                                                                        \
        return umsim::multiply(__a, __b, umsim::way);                                                        \
    }                                                                                                        \
    template <class _Tp> inline _Tp div_##name(_Tp __a, _Tp __b)                                             \
    {                                                                                                        \
        return umsim::divide(__a, __b, umsim::way);                                                          \
    }                                                                                                        \
    template <class _Tp> inline _Tp fma_##name(_Tp __a, _Tp __b, _Tp __c)                                    \
    {                                                                                                        \
        return umsim::multiply_add(__a, __b, __c, umsim::way);                                               \
    }                                                                                                        \
    template <class _Tp> inline _Tp rcp_##name(_Tp __a)                                                      \
    {                                                                                                        \
        return umsim::divide((_Tp)1, __a, umsim::way);                                                       \
    }                                                                                                        \
    template <class _Tp> inline _Tp sqrt_##name(_Tp __a)                                                     \
    {                                                                                                        \
        return umsim::root(__a, umsim::way);                                                                 \
    }
UMSIM_PTX_ROUNDED(rz, to_zero)
UMSIM_PTX_ROUNDED(rm, down)
UMSIM_PTX_ROUNDED(rp, up)
#undef UMSIM_PTX_ROUNDED
/** @} */

} // namespace ptx
} // namespace umsim
/** @endcond */

#endif
