/**
 * @file umsim/undefined.h
 * @brief What C++ leaves undefined and a GPU does in its own way: shifts by the width and more, conversions
 * of floating-point numbers out of range; where the processor does not trap, divisions of integers by zero.
 *
 * umcc puts these names into device code (sim/umcc/undefined.c):
 *
 *     a >> ::umsim::defined::left_shift() << b                      for a << b
 *     a << ::umsim::defined::right_shift() >> b                     for a >> b
 *     a <<= ::umsim::defined::shift_count() |= b                    for a <<= b
 *     a / ::umsim::defined::quotient() / b                          for a / b, on arm64
 *     a % ::umsim::defined::remainder() % b                         for a % b, on arm64
 *     a /= ::umsim::defined::divisor() |= b                         for a /= b and a %= b, on arm64
 *     x = ::umsim::defined::into<decltype(x)>() |= value            for x = value
 *     x += ::umsim::defined::operand_of<decltype(x)>() |= value     for x += value
 *
 * Only numbers are treated, and taken by value, so that they are read where the program reads them. Of any
 * other type the operands pass through, and the operator is theirs. The answers are an H200's
 * (docs/undefined.md). All of it is constexpr, in C++11 too.
 */
#ifndef UMSIM_UNDEFINED_H
#define UMSIM_UNDEFINED_H

#include <stddef.h>
#include <stdint.h>
#ifdef __aarch64__
#include "umsim/divided_apart.h"
#endif

#define UMSIM_DEFINED __attribute__((always_inline, artificial)) constexpr inline
/* Never out of range: no operand is compared once more, which would keep gcc from making several at a time.
 */
#define UMSIM_IN_RANGE                                                                                       \
    __attribute__((                                                                                          \
        always_inline, artificial,                                                                           \
        no_sanitize("float-cast-overflow,shift-exponent,integer-divide-by-zero"))) constexpr inline

/** @cond internal */
namespace umsim
{
namespace defined
{
/** @name What a type is @{ */
enum number_kind { no_number, whole_number, real_number };
template <class _Tp> struct number {
    static constexpr number_kind kind = no_number;
};
#define UMSIM_NUMBER(type, its_kind)                                                                         \
    template <> struct number<type> {                                                                        \
        static constexpr number_kind kind = its_kind;                                                        \
    };
UMSIM_NUMBER(char, whole_number)
UMSIM_NUMBER(signed char, whole_number)
UMSIM_NUMBER(unsigned char, whole_number)
UMSIM_NUMBER(wchar_t, whole_number)
UMSIM_NUMBER(char16_t, whole_number)
UMSIM_NUMBER(char32_t, whole_number)
#ifdef __cpp_char8_t
UMSIM_NUMBER(char8_t, whole_number)
#endif
UMSIM_NUMBER(short, whole_number)
UMSIM_NUMBER(unsigned short, whole_number)
UMSIM_NUMBER(int, whole_number)
UMSIM_NUMBER(unsigned, whole_number)
UMSIM_NUMBER(long, whole_number)
UMSIM_NUMBER(unsigned long, whole_number)
UMSIM_NUMBER(long long, whole_number)
UMSIM_NUMBER(unsigned long long, whole_number)
UMSIM_NUMBER(float, real_number)
UMSIM_NUMBER(double, real_number)
UMSIM_NUMBER(long double, real_number)
#undef UMSIM_NUMBER

template <class _Tp> struct bare {
    typedef _Tp type;
};
template <class _Tp> struct bare<const _Tp> : bare<_Tp> {
};
template <class _Tp> struct bare<volatile _Tp> : bare<_Tp> {
};
template <class _Tp> struct bare<const volatile _Tp> : bare<_Tp> {
};
template <class _Tp> struct bare<_Tp &> : bare<_Tp> {
};
template <class _Tp> struct bare<_Tp &&> : bare<_Tp> {
};

template <class _Tp> constexpr number_kind kind_of()
{
    return number<typename bare<_Tp>::type>::kind;
}
/** bool and enumerations are values as numbers are, but nothing is undefined about them. */
template <class _Tp> constexpr bool is_value()
{
    return kind_of<_Tp>() != no_number || __is_enum(typename bare<_Tp>::type) ||
           __is_same(typename bare<_Tp>::type, bool);
}
template <class _Tp> constexpr bool is_reference()
{
    return !__is_same(_Tp, typename bare<_Tp &>::type) && __is_same(_Tp &&, _Tp);
}
template <bool, class _Tp> struct only_if {
};
template <class _Tp> struct only_if<true, _Tp> {
    typedef _Tp type;
};
/** @} */

/** @name Shifts: the count is taken modulo 2^32, as shl.b64 takes it; then one of the width and more gives 0,
 * or the sign @{ */
template <class _Tp> UMSIM_IN_RANGE bool is_too_far(uint32_t __count)
{
    return __count >= 8 * sizeof(_Tp);
}
template <class _Tp> UMSIM_IN_RANGE _Tp shifted_left(_Tp __value, uint32_t __count)
{
    return is_too_far<_Tp>(__count) ? (_Tp)0
                                    : (_Tp)((sizeof(_Tp) > 4 ? (uint64_t)__value : (uint32_t)__value)
                                            << (__count % (8 * sizeof(_Tp))));
}
template <class _Tp> UMSIM_IN_RANGE _Tp shifted_right(_Tp __value, uint32_t __count)
{
    return is_too_far<_Tp>(__count) ? (_Tp)(__value < (_Tp)0 ? -1 : 0)
                                    : (_Tp)(__value >> (__count % (8 * sizeof(_Tp))));
}

struct left_shift {
};
struct right_shift {
};
struct shift_count {
};
template <class _Tp> struct to_shift_left {
    _Tp value;
};
template <class _Tp> struct to_shift_right {
    _Tp value;
};
template <class _Tp> struct count_of {
    _Tp value;
    constexpr operator _Tp() const
    {
        return value;
    }
};

#define UMSIM_SHIFT(tag, held, mark, shift, shifted)                                                         \
    template <class _Tp>                                                                                     \
    UMSIM_DEFINED typename only_if<is_value<_Tp>(), held<typename bare<_Tp>::type>>::type operator mark(     \
        _Tp __value, tag)                                                                                    \
    {                                                                                                        \
        return {__value};                                                                                    \
    }                                                                                                        \
    template <class _Tp>                                                                                     \
    UMSIM_DEFINED typename only_if<!is_value<_Tp>(), held<_Tp &&>>::type operator mark(_Tp &&__value, tag)   \
    {                                                                                                        \
        return {static_cast<_Tp &&>(__value)};                                                               \
    }                                                                                                        \
    template <class _Tp, class _Count>                                                                       \
    UMSIM_DEFINED auto operator shift(held<_Tp> __left, _Count __count)                                      \
        ->typename only_if<kind_of<_Tp>() == whole_number && kind_of<_Count>() == whole_number,              \
                           decltype(+_Tp())>::type                                                           \
    {                                                                                                        \
        return shifted<decltype(+_Tp())>(__left.value, (uint32_t)__count);                                   \
    }                                                                                                        \
    template <class _Tp, class _Count>                                                                       \
    UMSIM_DEFINED auto operator shift(held<_Tp> __left, _Count __count)                                      \
        ->typename only_if<is_value<_Count>() &&                                                             \
                               (kind_of<_Tp>() != whole_number || kind_of<_Count>() != whole_number),        \
                           decltype(static_cast<_Tp &&>(__left.value) shift __count)>::type                  \
    {                                                                                                        \
        return static_cast<_Tp &&>(__left.value) shift __count;                                              \
    }                                                                                                        \
    template <class _Tp, class _Count>                                                                       \
    UMSIM_DEFINED auto operator shift(held<_Tp> __left, _Count &&__count)                                    \
        ->typename only_if<!is_value<_Count>(), decltype(static_cast<_Tp &&>(__left.value)                   \
                                                             shift static_cast<_Count &&>(__count))>::type   \
    {                                                                                                        \
        return static_cast<_Tp &&>(__left.value) shift static_cast<_Count &&>(__count);                      \
    }                                                                                                        \
    template <class _Tp, class _Count>                                                                       \
    __attribute__((always_inline, artificial)) inline                                                        \
        typename only_if<kind_of<_Tp>() == whole_number, _Tp &>::type                                        \
        operator shift##=(_Tp &__value, count_of<_Count> __count)                                            \
    {                                                                                                        \
        __value = (typename bare<_Tp>::type)shifted<decltype(+typename bare<_Tp>::type())>(                  \
            __value, (uint32_t)__count.value);                                                               \
        return __value;                                                                                      \
    }
UMSIM_SHIFT(left_shift, to_shift_left, >>, <<, shifted_left)
UMSIM_SHIFT(right_shift, to_shift_right, <<, >>, shifted_right)
#undef UMSIM_SHIFT

template <class _Count>
UMSIM_DEFINED typename only_if<kind_of<_Count>() == whole_number, count_of<typename bare<_Count>::type>>::type
operator|=(shift_count, _Count __count)
{
    return {__count};
}
template <class _Count>
UMSIM_DEFINED typename only_if<is_value<_Count>() && kind_of<_Count>() != whole_number,
                               typename bare<_Count>::type>::type
operator|=(shift_count, _Count __count)
{
    return __count;
}
template <class _Count>
UMSIM_DEFINED typename only_if<!is_value<_Count>(), _Count &&>::type operator|=(shift_count, _Count &&__count)
{
    return static_cast<_Count &&>(__count);
}
/** @} */

/** @name Divisions of integers: by zero all bits are one; of 64 bits, where the dividend fits into 32, those
 * @{ */
template <class _Tp> UMSIM_IN_RANGE _Tp undivided(_Tp __left)
{
    return (_Tp)(sizeof(_Tp) > 4 && (uint64_t)__left >> 32 == 0 ? UINT32_MAX : UINT64_MAX);
}
#ifdef __aarch64__
#define UMSIM_APART(operation)                                                                               \
    umsim_divides_apart && !__builtin_constant_p(__right == 0)                                               \
        ? or_undivided((_Tp)(__left operation but_zero(__right)), __left, __right)                           \
        :
#else
#define UMSIM_APART(operation)
#endif
template <class _Tp> UMSIM_IN_RANGE _Tp quotient_of(_Tp __left, _Tp __right)
{
    return UMSIM_APART(/) __right == 0 ? undivided(__left) : (_Tp)(__left / __right);
}
template <class _Tp> UMSIM_IN_RANGE _Tp rest_of(_Tp __left, _Tp __right)
{
    return UMSIM_APART(%) __right == 0 ? undivided(__left) : (_Tp)(__left % __right);
}
#undef UMSIM_APART

struct quotient {
};
struct remainder {
};
struct divisor {
};
template <class _Tp> struct to_divide {
    _Tp value;
};
template <class _Tp> struct to_leave_rest {
    _Tp value;
};
template <class _Tp> struct divisor_of {
    _Tp value;
    constexpr operator _Tp() const
    {
        return value;
    }
};
/* What the operands of an operator become. The type is asked of a sum: g++ warns of 0 / 0. */
template <bool, class _Tp, class _Other> struct common_of {
};
template <class _Tp, class _Other> struct common_of<true, _Tp, _Other> {
    typedef decltype(typename bare<_Tp>::type() + typename bare<_Other>::type()) type;
};
template <class _Tp, class _Other>
struct common : common_of<kind_of<_Tp>() == whole_number && kind_of<_Other>() == whole_number, _Tp, _Other> {
};

#define UMSIM_DIVISION(tag, held, mark, divided)                                                             \
    template <class _Tp>                                                                                     \
    UMSIM_DEFINED typename only_if<is_value<_Tp>(), held<typename bare<_Tp>::type>>::type operator mark(     \
        _Tp __value, tag)                                                                                    \
    {                                                                                                        \
        return {__value};                                                                                    \
    }                                                                                                        \
    template <class _Tp>                                                                                     \
    UMSIM_DEFINED typename only_if<!is_value<_Tp>(), held<_Tp &&>>::type operator mark(_Tp &&__value, tag)   \
    {                                                                                                        \
        return {static_cast<_Tp &&>(__value)};                                                               \
    }                                                                                                        \
    template <class _Tp, class _Other>                                                                       \
    UMSIM_DEFINED typename common<_Tp, _Other>::type operator mark(held<_Tp> __left, _Other __right)         \
    {                                                                                                        \
        return divided<typename common<_Tp, _Other>::type>((typename common<_Tp, _Other>::type)__left.value, \
                                                           (typename common<_Tp, _Other>::type)__right);     \
    }                                                                                                        \
    template <class _Tp, class _Other>                                                                       \
    UMSIM_DEFINED auto operator mark(held<_Tp> __left, _Other __right)                                       \
        ->typename only_if<is_value<_Other>() &&                                                             \
                               (kind_of<_Tp>() != whole_number || kind_of<_Other>() != whole_number),        \
                           decltype(static_cast<_Tp &&>(__left.value) mark __right)>::type                   \
    {                                                                                                        \
        return static_cast<_Tp &&>(__left.value) mark __right;                                               \
    }                                                                                                        \
    template <class _Tp, class _Other>                                                                       \
    UMSIM_DEFINED auto operator mark(held<_Tp> __left, _Other &&__right)                                     \
        ->typename only_if<!is_value<_Other>(), decltype(static_cast<_Tp &&>(__left.value)                   \
                                                             mark static_cast<_Other &&>(__right))>::type    \
    {                                                                                                        \
        return static_cast<_Tp &&>(__left.value) mark static_cast<_Other &&>(__right);                       \
    }                                                                                                        \
    template <class _Tp, class _Other>                                                                       \
    __attribute__((always_inline, artificial)) inline                                                        \
        typename only_if<kind_of<_Tp>() == whole_number, _Tp &>::type                                        \
        operator mark##=(_Tp &__value, divisor_of<_Other> __right)                                           \
    {                                                                                                        \
        return __value = (typename bare<_Tp>::type)(__value mark tag() mark __right.value);                  \
    }
UMSIM_DIVISION(quotient, to_divide, /, quotient_of)
UMSIM_DIVISION(remainder, to_leave_rest, %, rest_of)
#undef UMSIM_DIVISION

template <class _Other>
UMSIM_DEFINED
    typename only_if<kind_of<_Other>() == whole_number, divisor_of<typename bare<_Other>::type>>::type
    operator|=(divisor, _Other __right)
{
    return {__right};
}
template <class _Other>
UMSIM_DEFINED typename only_if<is_value<_Other>() && kind_of<_Other>() != whole_number,
                               typename bare<_Other>::type>::type
operator|=(divisor, _Other __right)
{
    return __right;
}
template <class _Other>
UMSIM_DEFINED typename only_if<!is_value<_Other>(), _Other &&>::type operator|=(divisor, _Other &&__right)
{
    return static_cast<_Other &&>(__right);
}
/** @} */

/** @name Conversions: to 32 bits at least, and from there by leaving out bits @{ */
/** What becomes of a NaN. */
template <class _To, class _From> constexpr _To of_no_number()
{
    return sizeof(_To) > 4 ? (_To)(UINT64_C(1) << 63) : sizeof(_From) > 4 ? (_To)(UINT32_C(1) << 31) : (_To)0;
}
/* Choices between values, not between paths, so that gcc can make them for a vector. */
template <class _Tp> UMSIM_IN_RANGE _Tp pick(bool __first, _Tp __one, _Tp __other)
{
    return __first ? __one : __other;
}
template <class _To, class _From> struct conversion;
#define UMSIM_CONVERSION(to, least, most, limit)                                                             \
    template <class _From> struct conversion<to, _From> {                                                    \
        static UMSIM_IN_RANGE to saturated(_From __x)                                                        \
        {                                                                                                    \
            return pick<to>(__x >= (_From)limit, (to)(most),                                                 \
                            pick<to>(__x < (_From)(to)(least), (to)(least),                                  \
                                     pick<to>(__x == __x, inside(__x), of_no_number<to, _From>())));         \
        }                                                                                                    \
        static UMSIM_IN_RANGE to inside(_From __x)                                                           \
        {                                                                                                    \
            return (to)pick<_From>((__x >= (_From)(to)(least)) & (__x < (_From)limit), __x, (_From)0);       \
        }                                                                                                    \
    };
UMSIM_CONVERSION(int32_t, INT32_MIN, INT32_MAX, 2147483648.0)
UMSIM_CONVERSION(uint32_t, 0, UINT32_MAX, 4294967296.0)
UMSIM_CONVERSION(int64_t, INT64_MIN, INT64_MAX, 9223372036854775808.0)
UMSIM_CONVERSION(uint64_t, 0, UINT64_MAX, 18446744073709551616.0)
#undef UMSIM_CONVERSION

/* To fewer than 32 bits: the lowest ones of what 32 would be. The upper half of those is reached by way of
 * the lower, because processors have no instruction for it. */
template <class _From> struct conversion<uint16_t, _From> {
    static UMSIM_IN_RANGE uint16_t saturated(_From __x)
    {
        return (uint16_t)pick<int32_t>(
            __x >= (_From)4294967296.0, -1,
            (int32_t)halved(pick<_From>((__x >= 0) & (__x < (_From)4294967296.0), __x, (_From)0)));
    }
    static UMSIM_IN_RANGE _From halved(_From __x)
    {
        return pick<_From>(__x >= (_From)2147483648.0, __x - (_From)2147483648.0, __x);
    }
};

template <bool __is_signed, size_t __bytes> struct wide {
    typedef int32_t type;
};
template <> struct wide<false, 1> {
    typedef uint16_t type;
};
template <> struct wide<false, 2> {
    typedef uint16_t type;
};
template <> struct wide<false, 4> {
    typedef uint32_t type;
};
template <> struct wide<true, 8> {
    typedef int64_t type;
};
template <> struct wide<false, 8> {
    typedef uint64_t type;
};

/* In the form that counts it is a call, because it is one instruction of a GPU's (umcc/segments.h). */
template <class _To, class _From>
__attribute__((__always_inline__, __no_icf__))
__attribute__((artificial, no_sanitize("float-cast-overflow,shift-exponent"))) constexpr inline _To
saturate(_From __x)
{
    return (_To)conversion<typename wide<((_To)-1 < (_To)0), sizeof(_To)>::type, _From>::saturated(__x);
}

/* `made`: for a variable that is being declared. It may be a reference, and then takes what it is given. */
template <class _To> struct into {
};
template <class _To> struct made {
};
/* What is being cast, where an address may become a number that is too small for it: g++ refuses that, nvcc
 * says that it is one, and takes the lowest bits. */
template <class _To> struct cast {
};
template <class _To> struct operand_of {
};
template <class _From> struct operand {
    _From value;
};

template <class _To, class _From> constexpr bool is_conversion()
{
    return kind_of<_To>() == whole_number && kind_of<_From>() == real_number;
}

#define UMSIM_INTO(tag, applies, converted, result)                                                          \
    template <class _To, class _From>                                                                        \
    UMSIM_DEFINED typename only_if<applies && is_conversion<_To, _From>(), result>::type operator|=(         \
        tag<_To>, _From __from)                                                                              \
    {                                                                                                        \
        return converted;                                                                                    \
    }                                                                                                        \
    template <class _To, class _From>                                                                        \
    UMSIM_DEFINED typename only_if<applies && is_value<_From>() && !is_conversion<_To, _From>(),             \
                                   typename bare<_From>::type>::type                                         \
    operator|=(tag<_To>, _From __from)                                                                       \
    {                                                                                                        \
        return __from;                                                                                       \
    }                                                                                                        \
    template <class _To, class _From>                                                                        \
    UMSIM_DEFINED typename only_if<!(applies) || !is_value<_From>(), _From &&>::type operator|=(             \
        tag<_To>, _From &&__from)                                                                            \
    {                                                                                                        \
        return static_cast<_From &&>(__from);                                                                \
    }
#define UMSIM_SATURATED saturate<typename bare<_To>::type>(static_cast<typename bare<_From>::type>(__from))
#define UMSIM_OPERAND                                                                                        \
    {                                                                                                        \
        static_cast<typename bare<_From>::type>(__from)                                                      \
    }
UMSIM_INTO(into, true, UMSIM_SATURATED, typename bare<_To>::type)
UMSIM_INTO(made, !is_reference<_To>(), UMSIM_SATURATED, typename bare<_To>::type)
UMSIM_INTO(operand_of, true, UMSIM_OPERAND, operand<typename bare<_From>::type>)
UMSIM_INTO(cast, true, UMSIM_SATURATED, typename bare<_To>::type)
#undef UMSIM_INTO
#undef UMSIM_SATURATED
#undef UMSIM_OPERAND

template <class _To>
struct is_too_small : only_if<kind_of<_To>() == whole_number && sizeof(_To) < sizeof(void *), int> {
};
template <class _To, class _From, typename is_too_small<_To>::type = 0>
__attribute__((always_inline, artificial,
               deprecated("conversion from pointer to smaller integer"))) inline uint64_t
operator|=(cast<_To>, _From *__from)
{
    return (uint64_t)__from;
}

#define UMSIM_ASSIGNMENT(mark)                                                                               \
    template <class _To, class _From>                                                                        \
    __attribute__((always_inline, artificial)) inline                                                        \
        typename only_if<is_conversion<_To, _From>(), _To &>::type                                           \
        operator mark##=(_To &__to, operand<_From> __from)                                                   \
    {                                                                                                        \
        __to = saturate<typename bare<_To>::type>(__to mark __from.value);                                   \
        return __to;                                                                                         \
    }
UMSIM_ASSIGNMENT(+)
UMSIM_ASSIGNMENT(-)
UMSIM_ASSIGNMENT(*)
UMSIM_ASSIGNMENT(/)
#undef UMSIM_ASSIGNMENT
/** @} */
} // namespace defined
} // namespace umsim
/** @endcond */

#endif
