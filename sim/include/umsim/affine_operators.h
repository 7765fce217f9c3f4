/**
 * @file umsim/affine_operators.h
 * @brief What operators make of expressions for a whole row of threads (umsim/affine.h).
 *
 * Each follows C++'s conversions and arithmetic exactly, or its result is not known. Part of umsim/device.h;
 * students do not include this file.
 */
#ifndef UMSIM_AFFINE_OPERATORS_H
#define UMSIM_AFFINE_OPERATORS_H

#include "umsim/affine.h"

namespace umsim
{

/**
 * @name Operators
 * They take both operands by value, as templates: no function template of a program's fits them better.
 * @{
 */
template <class _Xp> struct is_row_thing : std::false_type {
};
template <class _Tp> struct is_row_thing<row_value<_Tp>> : std::true_type {
};
template <> struct is_row_thing<row_truth> : std::true_type {
};
template <> struct is_row_thing<row_other> : std::true_type {
};

/** An operand as a number: its type, with the promotions of C++. */
template <class _Xp, bool _Number = is_row_number<_Xp>::value> struct row_operand {
    static constexpr bool number = false;
    typedef int type;
};
template <class _Xp> struct row_operand<_Xp, true> {
    static constexpr bool number = true;
    typedef decltype(+std::declval<_Xp>()) type;
};
template <class _Tp> struct row_operand<row_value<_Tp>, false> {
    static constexpr bool number = true;
    typedef decltype(+std::declval<_Tp>()) type;
};

/** Two operands, one of them of this file's classes, and the type in which C++ computes with them. */
template <class _Ap, class _Bp, bool = is_row_thing<_Ap>::value || is_row_thing<_Bp>::value> struct row_pair {
};
template <class _Ap, class _Bp> struct row_pair<_Ap, _Bp, true> {
    typedef typename row_operand<_Ap>::type a;
    typedef typename row_operand<_Bp>::type b;
    typedef decltype(std::declval<a>() + std::declval<b>()) common;
    static constexpr bool numbers = row_operand<_Ap>::number && row_operand<_Bp>::number,
                          integers = numbers && is_row_integer<a>::value && is_row_integer<b>::value;
    typedef typename std::conditional<numbers, row_value<common>, row_other>::type result;
    typedef typename std::conditional<numbers, row_value<a>, row_other>::type shifted;
    typedef row_truth compared;
};

/** An operand in the type that is computed with. Signed operands are exact. */
template <class _Rp, class _Xp> inline row_value<_Rp> row_in(_Xp __x)
{
    const row_value<_Rp> __v(row_value<typename row_operand<_Xp>::type>{__x});
    return std::is_signed<_Rp>::value ? row_settled(__v) : __v;
}
/** A result. C++ does not define one of a signed type that is out of its range. */
template <class _Rp> inline row_value<_Rp> row_out(bool __known, int64_t __first, int64_t __last)
{
    const bool __in_range =
        !std::is_signed<_Rp>::value || (row_wraps<_Rp>(__first) == 0 && row_wraps<_Rp>(__last) == 0);
    return row_value<_Rp>(__known && __in_range, __first, __last);
}

/** Operations whose results are evenly spaced. */
struct row_add {
    template <class _Rp> static row_value<_Rp> of(row_value<_Rp> __a, row_value<_Rp> __b)
    {
        int64_t __f, __l;
        const bool __wraps = (bool)__builtin_add_overflow(__a.first, __b.first, &__f) |
                             (bool)__builtin_add_overflow(__a.last, __b.last, &__l);
        return row_out<_Rp>(__a.known && __b.known && !__wraps, __f, __l);
    }
};
struct row_subtract {
    template <class _Rp> static row_value<_Rp> of(row_value<_Rp> __a, row_value<_Rp> __b)
    {
        int64_t __f, __l;
        const bool __wraps = (bool)__builtin_sub_overflow(__a.first, __b.first, &__f) |
                             (bool)__builtin_sub_overflow(__a.last, __b.last, &__l);
        return row_out<_Rp>(__a.known && __b.known && !__wraps, __f, __l);
    }
};
struct row_multiply {
    template <class _Rp> static row_value<_Rp> of(row_value<_Rp> __a, row_value<_Rp> __b)
    {
        int64_t __f, __l;
        const bool __wraps = (bool)__builtin_mul_overflow(__a.first, __b.first, &__f) |
                             (bool)__builtin_mul_overflow(__a.last, __b.last, &__l);
        const bool __even = __a.is_uniform() || __b.is_uniform();
        return row_out<_Rp>(__a.known && __b.known && __even && !__wraps, __f, __l);
    }
};

/** Operations whose results are known if both operands are the same for all threads. */
template <class _Op> struct row_same {
    template <class _Rp> static row_value<_Rp> of(row_value<_Rp> __x, row_value<_Rp> __y)
    {
        const row_value<_Rp> __a = row_settled(__x), __b = row_settled(__y);
        int64_t __r = 0;
        const bool __known = __a.is_uniform() && __b.is_uniform() && _Op::on(__a.first, __b.first, __r);
        return row_out<_Rp>(__known, __r, __r);
    }
};
struct row_divide {
    static bool on(int64_t __a, int64_t __b, int64_t &__r)
    {
        const bool __defined = __b != 0 && !(__a == INT64_MIN && __b == -1);
        __r = __defined ? __a / __b : 0;
        return __defined;
    }
};
struct row_remainder {
    static bool on(int64_t __a, int64_t __b, int64_t &__r)
    {
        __r = __b != 0 && __b != -1 ? __a % __b : 0; /* by -1: INT_MIN's is not defined */
        return __b != 0 && __b != -1;
    }
};
struct row_and {
    static bool on(int64_t __a, int64_t __b, int64_t &__r)
    {
        __r = __a & __b;
        return true;
    }
};
struct row_or {
    static bool on(int64_t __a, int64_t __b, int64_t &__r)
    {
        __r = __a | __b;
        return true;
    }
};
struct row_xor {
    static bool on(int64_t __a, int64_t __b, int64_t &__r)
    {
        __r = __a ^ __b;
        return true;
    }
};

template <class _Op, class _Ap, class _Bp>
inline typename row_pair<_Ap, _Bp>::result row_compute(_Ap __x, _Bp __y, std::true_type)
{
    typedef typename row_pair<_Ap, _Bp>::common __type;
    return _Op::of(row_in<__type>(__x), row_in<__type>(__y));
}
template <class _Op, class _Ap, class _Bp>
inline typename row_pair<_Ap, _Bp>::result row_compute(_Ap, _Bp, std::false_type)
{
    return typename row_pair<_Ap, _Bp>::result();
}

#define UMSIM_ROW_OPERATOR(op, _Op)                                                                          \
    template <class _Ap, class _Bp> inline typename row_pair<_Ap, _Bp>::result operator op(_Ap __x, _Bp __y) \
    {                                                                                                        \
        return row_compute<_Op>(__x, __y, std::integral_constant<bool, row_pair<_Ap, _Bp>::integers>());     \
    }
UMSIM_ROW_OPERATOR(+, row_add)
UMSIM_ROW_OPERATOR(-, row_subtract)
UMSIM_ROW_OPERATOR(*, row_multiply)
UMSIM_ROW_OPERATOR(/, row_same<row_divide>)
UMSIM_ROW_OPERATOR(%, row_same<row_remainder>)
UMSIM_ROW_OPERATOR(&, row_same<row_and>)
UMSIM_ROW_OPERATOR(|, row_same<row_or>)
UMSIM_ROW_OPERATOR(^, row_same<row_xor>)
#undef UMSIM_ROW_OPERATOR

/** Shifts have the type of their left operand. To the left, they multiply. */
template <class _Ap, class _Bp>
inline typename row_pair<_Ap, _Bp>::shifted row_shift(_Ap __x, _Bp __y, bool __left, std::true_type)
{
    typedef typename row_pair<_Ap, _Bp>::a __type;
    typedef typename row_pair<_Ap, _Bp>::b __count;
    const row_value<__count> __by = row_settled(row_in<__count>(__y));
    const row_value<__type> __v = row_in<__type>(__x), __s = row_settled(__v);
    const int64_t __most = 8 * (int64_t)sizeof(__type) - 1;
    if (!__by.is_uniform() || __by.first < 0 || __by.first > __most || __by.first > 62)
        return row_value<__type>();
    const int64_t __factor = (int64_t)1 << __by.first;
    if (__left)
        return row_multiply::of(__v, row_value<__type>(true, __factor, __factor));
    return row_value<__type>(__s.is_uniform(), __s.first >> __by.first, __s.first >> __by.first);
}
template <class _Ap, class _Bp>
inline typename row_pair<_Ap, _Bp>::shifted row_shift(_Ap, _Bp, bool, std::false_type)
{
    return typename row_pair<_Ap, _Bp>::shifted();
}
template <class _Ap, class _Bp> inline typename row_pair<_Ap, _Bp>::shifted operator<<(_Ap __x, _Bp __y)
{
    return row_shift(__x, __y, true, std::integral_constant<bool, row_pair<_Ap, _Bp>::integers>());
}
template <class _Ap, class _Bp> inline typename row_pair<_Ap, _Bp>::shifted operator>>(_Ap __x, _Bp __y)
{
    return row_shift(__x, __y, false, std::integral_constant<bool, row_pair<_Ap, _Bp>::integers>());
}

template <class _Tp>
inline row_value<typename row_operand<row_value<_Tp>>::type> operator+(row_value<_Tp> __v)
{
    return __v;
}
template <class _Tp>
inline row_value<typename row_operand<row_value<_Tp>>::type> operator-(row_value<_Tp> __v)
{
    return row_value<typename row_operand<row_value<_Tp>>::type>(true, 0, 0) - __v;
}
template <class _Tp>
inline row_value<typename row_operand<row_value<_Tp>>::type> operator~(row_value<_Tp> __v)
{
    return -__v - 1;
}
inline row_truth operator!(row_truth __t)
{
    return row_truth(__t.is == _All ? _None : __t.is == _None ? _All : __t.is);
}
template <class _Tp> inline row_truth operator!(row_value<_Tp> __v)
{
    return !row_truth(__v);
}
inline row_other operator+(row_other __v)
{
    return __v;
}
inline row_other operator-(row_other __v)
{
    return __v;
}
inline row_other operator~(row_other __v)
{
    return __v;
}
inline row_other operator!(row_other __v)
{
    return __v;
}

/** What is known of a comparison that holds, or not, for the first and the last thread. */
inline row_truth row_ends(bool __first, bool __last)
{
    return row_truth(__first && __last ? _All : __first || __last ? _Some : _None);
}

/** The difference of two evenly spaced values is evenly spaced: where it has one sign at both ends, it has it
 * between them. */
struct row_less {
    template <class _Tp> static row_truth of(const _Tp (&__a)[2], const _Tp (&__b)[2])
    {
        return row_ends(__a[0] < __b[0], __a[1] < __b[1]);
    }
};
struct row_less_equal {
    template <class _Tp> static row_truth of(const _Tp (&__a)[2], const _Tp (&__b)[2])
    {
        return row_ends(__a[0] <= __b[0], __a[1] <= __b[1]);
    }
};
struct row_greater {
    template <class _Tp> static row_truth of(const _Tp (&__a)[2], const _Tp (&__b)[2])
    {
        return row_less::of(__b, __a);
    }
};
struct row_greater_equal {
    template <class _Tp> static row_truth of(const _Tp (&__a)[2], const _Tp (&__b)[2])
    {
        return row_less_equal::of(__b, __a);
    }
};
struct row_equal {
    template <class _Tp> static row_truth of(const _Tp (&__a)[2], const _Tp (&__b)[2])
    {
        const bool __below = __a[0] < __b[0] && __a[1]<__b[1], __above = __a[0]> __b[0] && __a[1] > __b[1];
        const bool __first = __a[0] == __b[0], __last = __a[1] == __b[1];
        return row_truth(__first && __last    ? _All
                         : __below || __above ? _None
                         : __first != __last  ? _Some
                                              : _Unknown);
    }
};
struct row_unequal {
    template <class _Tp> static row_truth of(const _Tp (&__a)[2], const _Tp (&__b)[2])
    {
        return !row_equal::of(__a, __b);
    }
};

template <class _Op, class _Ap, class _Bp> inline row_truth row_compare(_Ap __x, _Bp __y, std::true_type)
{
    typedef typename row_pair<_Ap, _Bp>::common __type;
    const row_value<__type> __a = row_settled(row_in<__type>(__x)), __b = row_settled(row_in<__type>(__y));
    if (!__a.known || !__b.known)
        return row_truth(_Unknown);
    const int64_t __as[2] = {__a.first, __a.last}, __bs[2] = {__b.first, __b.last};
    return _Op::of(__as, __bs);
}
template <class _Op, class _Ap, class _Bp> inline row_truth row_compare(_Ap, _Bp, std::false_type)
{
    return row_truth(_Unknown);
}

#define UMSIM_ROW_COMPARISON(op, _Op)                                                                        \
    template <class _Ap, class _Bp>                                                                          \
    inline typename row_pair<_Ap, _Bp>::compared operator op(_Ap __x, _Bp __y)                               \
    {                                                                                                        \
        return row_compare<_Op>(__x, __y, std::integral_constant<bool, row_pair<_Ap, _Bp>::integers>());     \
    }
UMSIM_ROW_COMPARISON(<, row_less)
UMSIM_ROW_COMPARISON(<=, row_less_equal)
UMSIM_ROW_COMPARISON(>, row_greater)
UMSIM_ROW_COMPARISON(>=, row_greater_equal)
UMSIM_ROW_COMPARISON(==, row_equal)
UMSIM_ROW_COMPARISON(!=, row_unequal)
#undef UMSIM_ROW_COMPARISON
/** @} */

/** `a && b`: b is evaluated only if a thread of the row evaluates it. */
template <class _Fp> inline row_truth row_both(row_truth __a, const _Fp &__b)
{
    if (__a.is == _Unknown || __a.is == _None)
        return __a;
    const row_truth __second = __b();
    return __a.is == _All || __second.is == _None ? __second : row_truth(_Unknown);
}
/** `a || b` */
template <class _Fp> inline row_truth row_either(row_truth __a, const _Fp &__b)
{
    if (__a.is == _Unknown || __a.is == _All)
        return __a;
    const row_truth __second = __b();
    return __a.is == _None || __second.is == _All ? __second : row_truth(_Unknown);
}

} // namespace umsim

#endif
