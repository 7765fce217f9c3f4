/**
 * @file umsim/ptx.h
 * @brief The functions that inline PTX becomes: `asm("add.s32 %0, %1, %2;" : ...)` is roughly `um_0 =
 * ::umsim::ptx::add<int>(um_1, um_2)`.
 *
 * umcc writes the calls (umcc/ptx_code.c, whose table names the functions here). Included by
 * umsim/device.h.
 *
 * PTX's registers are bits: a variable of the operand's C++ type holds them, and each instruction reads
 * them as its own type, by as(). Where an instruction's result is wider or narrower than the register,
 * put() does what PTX does: it truncates, or extends by the sign of the result's type. What instructions do
 * where C++ leaves it undefined (shifts past the width, sums that overflow) follows the PTX manual.
 *
 * This file has the instructions that access memory or involve other threads; the others have files of
 * their own.
 */
#ifndef UMSIM_PTX_H
#define UMSIM_PTX_H
#include "umsim/atomics.h"
#include "umsim/barriers.h"
#include "umsim/ptx_arithmetic.h"
#include "umsim/ptx_carries.h"
#include "umsim/ptx_conversions.h"
#include "umsim/ptx_operands.h"
#include "umsim/ptx_products.h"
#include "umsim/warp.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/** @name Memory @{ */
template <class _Tp> inline _Tp ld(const void *__from, int __index)
{
    return static_cast<const _Tp *>(__from)[__index];
}
template <class _Tp> inline _Tp ld_volatile(const void *__from, int __index)
{
    return static_cast<const volatile _Tp *>(__from)[__index];
}
template <class _Tp> inline _Tp ld_acquire(const void *__from, int __index)
{
    _Tp __value;
    __atomic_load(static_cast<const _Tp *>(__from) + __index, &__value, __ATOMIC_ACQUIRE);
    return __value;
}
template <class _Tp> inline void st(void *__to, int __index, _Tp __value)
{
    static_cast<_Tp *>(__to)[__index] = __value;
}
template <class _Tp> inline void st_volatile(void *__to, int __index, _Tp __value)
{
    static_cast<volatile _Tp *>(__to)[__index] = __value;
}
template <class _Tp> inline void st_release(void *__to, int __index, _Tp __value)
{
    __atomic_store(static_cast<_Tp *>(__to) + __index, &__value, __ATOMIC_RELEASE);
}
#define UMSIM_PTX_ATOM(name, function)                                                                       \
    template <class _Tp> inline _Tp atom_##name(void *__at, _Tp __value)                                     \
    {                                                                                                        \
        return function(static_cast<_Tp *>(__at), __value);                                                  \
    }
UMSIM_PTX_ATOM(add, atomicAdd)
UMSIM_PTX_ATOM(exch, atomicExch)
UMSIM_PTX_ATOM(min, atomicMin)
UMSIM_PTX_ATOM(max, atomicMax)
UMSIM_PTX_ATOM(and, atomicAnd)
UMSIM_PTX_ATOM(or, atomicOr)
UMSIM_PTX_ATOM(xor, atomicXor)
UMSIM_PTX_ATOM(inc, atomicInc)
UMSIM_PTX_ATOM(dec, atomicDec)
#undef UMSIM_PTX_ATOM
template <class _Tp> inline _Tp atom_cas(void *__at, _Tp __compare, _Tp __value)
{
    return atomicCAS(static_cast<_Tp *>(__at), __compare, __value);
}
/** @} */

/**
 * @name Warps
 * The last operand but one contains the width of the parts: 32 minus the width, in bits 8 to 12.
 * @{
 */
inline int part(unsigned __c)
{
    return 32 - (int)((__c >> 8) & 31);
}
template <class _Tp> inline _Tp shfl_idx(_Tp __a, unsigned __lane, unsigned __c, unsigned __mask)
{
    return __shfl_sync(__mask, __a, (int)__lane, part(__c));
}
template <class _Tp> inline _Tp shfl_up(_Tp __a, unsigned __by, unsigned __c, unsigned __mask)
{
    return __shfl_up_sync(__mask, __a, __by, part(__c));
}
template <class _Tp> inline _Tp shfl_down(_Tp __a, unsigned __by, unsigned __c, unsigned __mask)
{
    return __shfl_down_sync(__mask, __a, __by, part(__c));
}
template <class _Tp> inline _Tp shfl_bfly(_Tp __a, unsigned __with, unsigned __c, unsigned __mask)
{
    return __shfl_xor_sync(__mask, __a, (int)__with, part(__c));
}
/** @} */

/** @name cp.async: copies at once, so there is nothing to wait for @{ */
/* As values of its size, so that --check sees the accesses. */
template <class _Tp> inline void copy_value(void *__to, const void *__from)
{
    typedef _Tp __attribute__((__may_alias__)) value;
    *static_cast<value *>(__to) = *static_cast<const value *>(__from);
}
inline void copy_async(void *__to, const void *__from, unsigned __bytes, unsigned __given)
{
    typedef unsigned four __attribute__((__vector_size__(16)));
    if (__given >= __bytes && __bytes == 16)
        copy_value<four>(__to, __from);
    else if (__given >= __bytes && __bytes == 8)
        copy_value<unsigned long long>(__to, __from);
    else if (__given >= __bytes && __bytes == 4)
        copy_value<unsigned>(__to, __from);
    else
        for (unsigned __i = 0; __i < __bytes; __i++)
            static_cast<volatile char *>(__to)[__i] =
                __i < __given ? static_cast<const volatile char *>(__from)[__i] : 0;
}
/** @} */

inline void barrier(bool __waits, unsigned __number, unsigned __threads = 0,
                    const char *__file = __builtin_FILE(), int __line = __builtin_LINE())
{
    umsim_named_barrier(__number, __threads, __waits, __file, __line);
}

} // namespace ptx
} // namespace umsim
/** @endcond */

/**
 * @name Addresses as PTX's state spaces have them
 * There is one address for all here. A program may keep one of shared memory in 32 bits, for inline PTX.
 * @{
 */
inline size_t __cvta_generic_to_shared(const void *__p)
{
    return reinterpret_cast<size_t>(__p);
}
inline size_t __cvta_generic_to_global(const void *__p)
{
    return reinterpret_cast<size_t>(__p);
}
inline size_t __cvta_generic_to_constant(const void *__p)
{
    return reinterpret_cast<size_t>(__p);
}
inline size_t __cvta_generic_to_local(const void *__p)
{
    return reinterpret_cast<size_t>(__p);
}
inline void *__cvta_shared_to_generic(size_t __p)
{
    return __p >> 32 ? reinterpret_cast<void *>(__p) : umsim::ptx::address((unsigned)__p);
}
inline void *__cvta_global_to_generic(size_t __p)
{
    return reinterpret_cast<void *>(__p);
}
inline void *__cvta_constant_to_generic(size_t __p)
{
    return reinterpret_cast<void *>(__p);
}
inline void *__cvta_local_to_generic(size_t __p)
{
    return reinterpret_cast<void *>(__p);
}
/** @} */

#endif
