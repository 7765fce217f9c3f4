/**
 * @file umsim/ptx_operands.h
 * @brief The operands of inline PTX: registers are bits, and each instruction reads them as its own type.
 * Part of umsim/ptx.h.
 */
#ifndef UMSIM_PTX_OPERANDS_H
#define UMSIM_PTX_OPERANDS_H

#include <string.h>
#include "umsim/abi.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/** @name Operands @{ */
template <class _Tp, class _From> inline _Tp copy_bits(const _From &__from)
{
    _Tp __to = _Tp();
    memcpy(&__to, &__from, sizeof __to < sizeof __from ? sizeof __to : sizeof __from);
    return __to;
}
template <class _Tp> struct is_real {
    static constexpr bool value = false;
};
template <> struct is_real<float> {
    static constexpr bool value = true;
};
template <> struct is_real<double> {
    static constexpr bool value = true;
};

/** The operand of an asm statement, as the register that its constraint names. */
template <class _Tp, class _From> inline _Tp in(_From __value)
{
    static_assert(sizeof(_Tp) == sizeof(_From), "the operand's size is not that of its constraint");
    return copy_bits<_Tp>(__value);
}
template <class _To, class _Tp> inline void out(_To &__to, _Tp __value)
{
    static_assert(sizeof(_Tp) == sizeof(_To), "the operand's size is not that of its constraint");
    memcpy((void *)&__to, &__value, sizeof __value);
}

/* Registers and numbers as an instruction's type. Numbers in the text are int, long long or double. An
 * integer instruction reads a floating-point register as bits, and a floating-point instruction an integer
 * register. */
template <class _Tp, class _From> inline _Tp as(_From __from)
{
    if (is_real<_Tp>::value != is_real<_From>::value && sizeof(_Tp) == sizeof(_From))
        return copy_bits<_Tp>(__from);
    return (_Tp)__from;
}
/* A number where an instruction expects floating point: 1.5 may have either size. */
template <class _Tp> inline _Tp as(double __from)
{
    return is_real<_Tp>::value            ? (_Tp)__from
           : sizeof(_Tp) == sizeof __from ? copy_bits<_Tp>(__from)
                                          : (_Tp)__from;
}
template <class _To, class _Tp> inline void put(_To &__to, _Tp __value)
{
    if (is_real<_To>::value != is_real<_Tp>::value)
        __to = copy_bits<_To>(__value);
    else
        __to = (_To)__value;
}

template <class _Tp> inline _Tp *address(_Tp *__p)
{
    return __p;
}
inline char *address(unsigned long long __p)
{
    return reinterpret_cast<char *>(__p);
}
/* An address in shared memory may be kept in 32 bits: the others are those of the block's shared memory. */
inline char *address(unsigned __p)
{
    char *__near = static_cast<char *>(umsim_dynamic_shared());
    return __near + (int)(__p - (unsigned)reinterpret_cast<unsigned long long>(__near));
}
/** @} */

} // namespace ptx
} // namespace umsim
/** @endcond */

#endif
