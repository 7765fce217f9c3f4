/**
 * @file umsim/ptx.h
 * @brief What inline PTX becomes: `asm("add.s32 %0, %1, %2;" : ...)` is `um_0 = ::umsim::ptx::add<int>(um_1,
 * um_2)`, about. umcc writes the calls (umcc/ptx_code.c, whose table names the functions here). Included by
 * umsim/device.h.
 *
 * PTX's registers are bits: a variable of the operand's C++ type holds them, and each instruction reads them
 * as its own type, by as(). Where an instruction's result is wider or narrower than the register, put() does
 * as PTX: it cuts off, or extends by the sign of the result's type. What instructions do where C++ leaves it
 * undefined (shifts past the width, sums that overflow) follows the PTX manual.
 */
#ifndef UMSIM_PTX_H
#define UMSIM_PTX_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "umsim/atomics.h"
#include "umsim/barriers.h"
#include "umsim/math.h"
#include "umsim/simd.h"
#include "umsim/warp.h"

/** @cond internal */
namespace umsim
{
namespace ptx
{

/** @name Operands @{ */
template <class T, class From> inline T copy_bits(const From &from)
{
    T to = T();
    memcpy(&to, &from, sizeof to < sizeof from ? sizeof to : sizeof from);
    return to;
}
template <class T> struct is_real {
    static constexpr bool value = false;
};
template <> struct is_real<float> {
    static constexpr bool value = true;
};
template <> struct is_real<double> {
    static constexpr bool value = true;
};

/** The operand of an asm statement, as the register that its constraint names. */
template <class T, class From> inline T in(From value)
{
    static_assert(sizeof(T) == sizeof(From), "the operand's size is not that of its constraint");
    return copy_bits<T>(value);
}
template <class To, class T> inline void out(To &to, T value)
{
    static_assert(sizeof(T) == sizeof(To), "the operand's size is not that of its constraint");
    memcpy((void *)&to, &value, sizeof value);
}

/* Registers and numbers as an instruction's type. Numbers in the text are int, long long or double; a
 * register of floating point is bits to an integer instruction, and the other way round. */
template <class T, class From> inline T as(From from)
{
    if (is_real<T>::value != is_real<From>::value && sizeof(T) == sizeof(From))
        return copy_bits<T>(from);
    return (T)from;
}
/* A number, where an instruction wants floating point: 1.5 is one of either size. */
template <class T> inline T as(double from)
{
    return is_real<T>::value ? (T)from : sizeof(T) == sizeof from ? copy_bits<T>(from) : (T)from;
}
template <class To, class T> inline void put(To &to, T value)
{
    if (is_real<To>::value != is_real<T>::value)
        to = copy_bits<To>(value);
    else
        to = (To)value;
}

template <class T> inline T *address(T *p)
{
    return p;
}
inline char *address(unsigned long long p)
{
    return reinterpret_cast<char *>(p);
}
/** @} */

/** @name Arithmetic @{ */
template <class T> struct no_sign {
    typedef T type;
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
template <class T> using bits_of = typename no_sign<T>::type;
template <class T> constexpr int width()
{
    return (int)sizeof(T) * CHAR_BIT;
}
template <class T> constexpr bool is_signed()
{
    return (T)-1 < (T)1;
}
template <class T> struct twice;
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
template <class T> using twice_of = typename twice<T>::type;

template <class T> inline T add(T a, T b)
{
    return (T)((bits_of<T>)a + (bits_of<T>)b);
}
template <class T> inline T sub(T a, T b)
{
    return (T)((bits_of<T>)a - (bits_of<T>)b);
}
template <class T> inline T mul_lo(T a, T b)
{
    return (T)((unsigned long long)a * (unsigned long long)b);
}
template <class T> inline T mul_hi(T a, T b)
{
    return (T)(((twice_of<T>)a * (twice_of<T>)b) >> width<T>());
}
template <class T> inline twice_of<T> mul_wide(T a, T b)
{
    return (twice_of<T>)a * (twice_of<T>)b;
}
template <class T> inline T mad_lo(T a, T b, T c)
{
    return add<T>(mul_lo<T>(a, b), c);
}
template <class T> inline T mad_hi(T a, T b, T c)
{
    return add<T>(mul_hi<T>(a, b), c);
}
template <class T> inline twice_of<T> mad_wide(T a, T b, twice_of<T> c)
{
    return add<twice_of<T>>(mul_wide<T>(a, b), c);
}
template <class T> inline T mul24(T a, T b)
{
    const int cut = 8;
    return mul_lo<T>((T)((bits_of<T>)a << cut) >> cut, (T)((bits_of<T>)b << cut) >> cut);
}
template <class T> inline T mad24(T a, T b, T c)
{
    return add<T>(mul24<T>(a, b), c);
}
template <class T> inline T mul_real(T a, T b)
{
    return a * b;
}
inline float fused(float a, float b, float c)
{
    return fmaf(a, b, c);
}
inline double fused(double a, double b, double c)
{
    return ::fma(a, b, c);
}
template <class T> inline T fma(T a, T b, T c)
{
    return fused(a, b, c);
}
template <class T> inline T saturated(T x)
{
    return x > 0 ? (x < 1 ? x : (T)1) : (T)0;
}
/* Sums that stay among the numbers of their type; of real ones, between 0 and 1. */
template <class T> inline T in_type(long long sum)
{
    return sum > INT_MAX ? (T)INT_MAX : sum < INT_MIN ? (T)INT_MIN : (T)sum;
}
template <class T> inline T add_sat(T a, T b)
{
    if (is_real<T>::value)
        return saturated<T>(add<T>(a, b));
    return in_type<T>((long long)a + (long long)b);
}
template <class T> inline T sub_sat(T a, T b)
{
    if (is_real<T>::value)
        return saturated<T>(sub<T>(a, b));
    return in_type<T>((long long)a - (long long)b);
}
template <class T> inline T div(T a, T b)
{
    return is_real<T>::value || b != 0 ? (T)(a / b) : (T)-1;
}
template <class T> inline T rem(T a, T b)
{
    return b != 0 ? (T)(a % b) : a;
}
template <class T> inline T neg(T a)
{
    return is_real<T>::value ? (T)-a : (T)(0 - (bits_of<T>)a);
}
template <class T> inline T abs(T a)
{
    return is_real<T>::value ? (T)fabs((double)a) : a < 0 ? neg<T>(a) : a;
}
/* Of a number and NaN, the number. */
template <class T> inline T min(T a, T b)
{
    return b != b || a < b ? a : b;
}
template <class T> inline T max(T a, T b)
{
    return b != b || a > b ? a : b;
}
template <class T> inline T sad(T a, T b, T c)
{
    return add<T>(c, a < b ? sub<T>(b, a) : sub<T>(a, b));
}
template <class T> inline T sqrt(T a)
{
    return (T)::sqrt(a);
}
template <class T> inline T rsqrt(T a)
{
    return 1 / (T)::sqrt(a);
}
template <class T> inline T rcp(T a)
{
    return 1 / a;
}
template <class T> inline T ex2(T a)
{
    return (T)::exp2((double)a);
}
template <class T> inline T lg2(T a)
{
    return (T)::log2((double)a);
}
template <class T> inline T sin(T a)
{
    return (T)::sin((double)a);
}
template <class T> inline T cos(T a)
{
    return (T)::cos((double)a);
}
template <class T> inline T tanh(T a)
{
    return (T)::tanh((double)a);
}
/* PTX's order: the sign is the first operand's. */
template <class T> inline T copysign(T sign, T value)
{
    return (T)::copysign((double)value, (double)sign);
}
/** @} */

/** @name Bits @{ */
template <class T> inline T bit_and(T a, T b)
{
    return (T)(a & b);
}
template <class T> inline T bit_or(T a, T b)
{
    return (T)(a | b);
}
template <class T> inline T bit_xor(T a, T b)
{
    return (T)(a ^ b);
}
template <class T> inline T bit_not(T a)
{
    return (T)~a;
}
template <> inline bool bit_not<bool>(bool a)
{
    return !a;
}
template <class T> inline T cnot(T a)
{
    return a == 0;
}
template <class T> inline T shl(T a, unsigned by)
{
    return by >= (unsigned)width<T>() ? (T)0 : (T)((bits_of<T>)a << by);
}
template <class T> inline T shr(T a, unsigned by)
{
    const unsigned most = (unsigned)width<T>() - 1;
    return by <= most ? (T)(a >> by) : is_signed<T>() ? (T)(a >> most) : (T)0;
}
template <class T> inline unsigned popc(T a)
{
    return (unsigned)__popcll((long long)a);
}
template <class T> inline unsigned clz(T a)
{
    return (unsigned)__clzll((long long)a) - (64 - (unsigned)width<T>());
}
template <class T> inline T brev(T a)
{
    return (T)(__brevll(a) >> (64 - width<T>()));
}
/* The highest bit that is not the sign. */
template <class T> inline unsigned bfind(T a)
{
    const bits_of<T> seen = (bits_of<T>)(is_signed<T>() && a < 0 ? ~a : a);
    return seen == 0 ? 0xffffffffu : (unsigned)width<T>() - 1 - clz<bits_of<T>>(seen);
}
template <class T> inline T bfe(T a, unsigned first, unsigned length)
{
    const unsigned most = (unsigned)width<T>() - 1;
    T result = 0;
    first &= 255, length &= 255;
    const unsigned sign =
        !is_signed<T>() || length == 0 ? 0 : (unsigned)(shr<T>(a, min(first + length - 1, most)) & 1);
    for (unsigned i = 0; i <= most; i++) {
        const unsigned bit = i < length && first + i <= most ? (unsigned)((a >> (first + i)) & 1) : sign;
        result = (T)((bits_of<T>)result | (bits_of<T>)((bits_of<T>)bit << i));
    }
    return result;
}
template <class T> inline T bfi(T from, T into, unsigned first, unsigned length)
{
    first &= 255, length &= 255;
    const T mask = shl<T>(length >= (unsigned)width<T>() ? (T) ~(T)0 : (T)(((T)1 << length) - 1), first);
    return (T)((into & ~mask) | (shl<T>(from, first) & mask));
}
template <class T> inline T lop3(T a, T b, T c, unsigned table)
{
    T result = 0;
    for (unsigned i = 0; i < 8; i++)
        if ((table >> i) & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
template <class T> inline T prmt(T a, T b, T selector)
{
    return __byte_perm(a, b, selector);
}
template <class T> inline T shf_l_wrap(T low, T high, unsigned by)
{
    return __funnelshift_l(low, high, by);
}
template <class T> inline T shf_r_wrap(T low, T high, unsigned by)
{
    return __funnelshift_r(low, high, by);
}
template <class T> inline T shf_l_clamp(T low, T high, unsigned by)
{
    return __funnelshift_lc(low, high, by);
}
template <class T> inline T shf_r_clamp(T low, T high, unsigned by)
{
    return __funnelshift_rc(low, high, by);
}
template <class T> inline T dp4a(T a, T b, T c)
{
    return __dp4a(a, b, c);
}
/** @} */

/** @name Choices and conversions @{ */
template <class T> inline T mov(T a)
{
    return a;
}
template <class T> inline T selp(T a, T b, bool first)
{
    return first ? a : b;
}
/* Comparisons: the second half are true for NaN. */
template <class T> inline bool eq(T a, T b)
{
    return a == b;
}
template <class T> inline bool ne(T a, T b)
{
    return a < b || a > b;
}
template <class T> inline bool lt(T a, T b)
{
    return a < b;
}
template <class T> inline bool le(T a, T b)
{
    return a <= b;
}
template <class T> inline bool gt(T a, T b)
{
    return a > b;
}
template <class T> inline bool ge(T a, T b)
{
    return a >= b;
}
template <class T> inline bool equ(T a, T b)
{
    return !ne(a, b);
}
template <class T> inline bool neu(T a, T b)
{
    return !(a == b);
}
template <class T> inline bool ltu(T a, T b)
{
    return !(a >= b);
}
template <class T> inline bool leu(T a, T b)
{
    return !(a > b);
}
template <class T> inline bool gtu(T a, T b)
{
    return !(a <= b);
}
template <class T> inline bool geu(T a, T b)
{
    return !(a < b);
}
template <class T> inline bool num(T a, T b)
{
    return a == a && b == b;
}
template <class T> inline bool nan(T a, T b)
{
    return a != a || b != b;
}

/* A real as an integer: the nearest that there is, 0 for NaN. */
template <class T> inline T to_integer(double x)
{
    if (x != x)
        return 0;
    const double most = is_signed<T>() ? ::ldexp(1, width<T>() - 1) : ::ldexp(1, width<T>());
    if (x >= most)
        return (T) ~(is_signed<T>() ? (bits_of<T>)1 << (width<T>() - 1) : (bits_of<T>)0);
    if (x < (is_signed<T>() ? -most : 0.0))
        return is_signed<T>() ? (T)((bits_of<T>)1 << (width<T>() - 1)) : (T)0;
    return (T)x;
}
template <class T, class From> inline T cvt(From from)
{
    return (T)from;
}
template <class T, class From> inline T cvt_rni(From from)
{
    return is_real<T>::value ? (T)::nearbyint((double)from) : to_integer<T>(::nearbyint((double)from));
}
template <class T, class From> inline T cvt_rzi(From from)
{
    return is_real<T>::value ? (T)::trunc((double)from) : to_integer<T>(::trunc((double)from));
}
template <class T, class From> inline T cvt_rmi(From from)
{
    return is_real<T>::value ? (T)::floor((double)from) : to_integer<T>(::floor((double)from));
}
template <class T, class From> inline T cvt_rpi(From from)
{
    return is_real<T>::value ? (T)::ceil((double)from) : to_integer<T>(::ceil((double)from));
}
template <class T, class From> inline T cvt_sat(From from)
{
    if (is_real<T>::value)
        return (T)saturated((double)from);
    const T most = is_signed<T>() ? (T) ~((bits_of<T>)1 << (width<T>() - 1)) : (T) ~(T)0;
    const T least = is_signed<T>() ? (T)((bits_of<T>)1 << (width<T>() - 1)) : (T)0;
    return (__int128)from > (__int128)most ? most : (__int128)from < (__int128)least ? least : (T)from;
}
/** @} */

/** @name Memory @{ */
template <class T> inline T ld(const void *from, int index)
{
    return static_cast<const T *>(from)[index];
}
template <class T> inline T ld_volatile(const void *from, int index)
{
    return static_cast<const volatile T *>(from)[index];
}
template <class T> inline T ld_acquire(const void *from, int index)
{
    T value;
    __atomic_load(static_cast<const T *>(from) + index, &value, __ATOMIC_ACQUIRE);
    return value;
}
template <class T> inline void st(void *to, int index, T value)
{
    static_cast<T *>(to)[index] = value;
}
template <class T> inline void st_volatile(void *to, int index, T value)
{
    static_cast<volatile T *>(to)[index] = value;
}
template <class T> inline void st_release(void *to, int index, T value)
{
    __atomic_store(static_cast<T *>(to) + index, &value, __ATOMIC_RELEASE);
}
#define UMSIM_PTX_ATOM(name, function)                                                                       \
    template <class T> inline T atom_##name(void *at, T value)                                               \
    {                                                                                                        \
        return function(static_cast<T *>(at), value);                                                        \
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
template <class T> inline T atom_cas(void *at, T compare, T value)
{
    return atomicCAS(static_cast<T *>(at), compare, value);
}
/** @} */

/** @name Warps: the last operand but one holds the width of the parts, as 32 less it in bits 8 to 12 @{ */
inline int part(unsigned c)
{
    return 32 - (int)((c >> 8) & 31);
}
template <class T> inline T shfl_idx(T a, unsigned lane, unsigned c, unsigned mask)
{
    return __shfl_sync(mask, a, (int)lane, part(c));
}
template <class T> inline T shfl_up(T a, unsigned by, unsigned c, unsigned mask)
{
    return __shfl_up_sync(mask, a, by, part(c));
}
template <class T> inline T shfl_down(T a, unsigned by, unsigned c, unsigned mask)
{
    return __shfl_down_sync(mask, a, by, part(c));
}
template <class T> inline T shfl_bfly(T a, unsigned with, unsigned c, unsigned mask)
{
    return __shfl_xor_sync(mask, a, (int)with, part(c));
}
/** @} */

} // namespace ptx
} // namespace umsim
/** @endcond */

#endif
