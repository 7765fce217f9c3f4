/**
 * @file umsim/affine.h
 * @brief What is known of an expression for a whole row of threads.
 *
 * umcc writes the declarations and the condition that a kernel begins with once more, with threadIdx.x as
 * an object of these classes (umcc/prefix.c). Evaluated once, they tell the condition for all threads
 * between the first and the last of a row, or that it is not known. Nothing is assumed of the expression: an
 * operation that these classes cannot follow exactly yields "not known", and no class converts back to a
 * number, so that what is not written with them does not compile. Part of umsim/device.h; students do not
 * include this file.
 */
#ifndef UMSIM_AFFINE_H
#define UMSIM_AFFINE_H

#include <stddef.h>
#include <stdint.h>
#include <type_traits>
#include <utility>

namespace umsim
{

/** @name Types
 * @{ */
template <class _Tp> struct is_row_integer {
    static constexpr bool value =
        std::is_integral<_Tp>::value && !std::is_same<_Tp, bool>::value && sizeof(_Tp) <= 8;
};
/** Numbers, and enumerators that count as numbers. */
template <class _Tp> struct is_row_number {
    static constexpr bool value = std::is_arithmetic<_Tp>::value ||
                                  (std::is_enum<_Tp>::value && std::is_convertible<_Tp, long long>::value);
};

/**
 * Whether operators on this type are the language's own, and reading such a variable changes nothing. What
 * is volatile may have another value next time. Classes may have operators of their own; so may enumerations,
 * if the program declares operators.
 */
template <class _Tp, bool _Own_Operators> struct is_plain {
    typedef typename std::remove_reference<_Tp>::type type;
    static constexpr bool value =
        !std::is_volatile<type>::value && (std::is_arithmetic<type>::value || std::is_pointer<type>::value ||
                                           (std::is_enum<type>::value && !_Own_Operators));
};
/** @} */

/** What is known of a condition. */
enum row_knowledge : unsigned char {
    _Unknown,
    _None, /**< it holds for no thread of the row */
    _All,  /**< it holds for all */
    _Some, /**< it holds for the first or the last thread, and not for the other */
};

/** An expression of which nothing is known. */
struct row_other {
    row_other() = default;
    template <class _Tp> row_other(const _Tp &)
    {
    }
};

template <class _Tp> struct row_value;

/** A condition. */
struct row_truth {
    row_knowledge is;

    explicit row_truth(row_knowledge __is) : is(__is)
    {
    }
    template <class _Tp, class = typename std::enable_if<is_row_number<_Tp>::value>::type>
    row_truth(_Tp __v) : is(__v ? _All : _None)
    {
    }
    template <class _Tp> row_truth(_Tp *__p) : is(__p ? _All : _None)
    {
    }
    template <class _Tp> row_truth(row_value<_Tp> __v);
    row_truth(row_other) : is(_Unknown)
    {
    }
};

/** A number as 64 bits with a sign. @return whether they hold it */
template <class _Tp> inline bool row_holds(_Tp __v, int64_t &__number)
{
    if (!std::is_integral<_Tp>::value || sizeof(_Tp) > 8)
        return false;
    __number = (int64_t)__v;
    return std::is_signed<_Tp>::value || sizeof(_Tp) < 8 || __number >= 0;
}

/**
 * The values of an expression of type T along a row: evenly spaced from `first` to `last`. What C++ computes
 * is congruent to them modulo 2 to the power of T's bits, so that sums of unsigned numbers may wrap around;
 * row_settled() tells whether they are the values themselves.
 */
template <class _Tp> struct row_value {
    bool known;
    int64_t first, last;

    row_value() : known(false), first(0), last(0)
    {
    }
    row_value(bool __known, int64_t __first, int64_t __last)
        : known(__known && is_row_integer<_Tp>::value), first(__first), last(__last)
    {
    }
    /* As of a variable that is declared with this type: */
    template <class _Up, class = typename std::enable_if<is_row_number<_Up>::value>::type>
    row_value(_Up __v) : row_value()
    {
        known = row_holds(+__v, first) && is_row_integer<_Tp>::value;
        last = first;
    }
    template <class _Up> row_value(row_value<_Up>);
    row_value(row_truth __t) : row_value(__t.is == _All || __t.is == _None, __t.is == _All, __t.is == _All)
    {
    }
    row_value(row_other) : row_value()
    {
    }
    bool is_uniform() const
    {
        return known && first == last;
    }
};

/** By how many times its range a number lies beside T's range; 0 for types of 64 bits. */
template <class _Tp> inline int64_t row_wraps(int64_t __v)
{
    constexpr int __bits = sizeof(_Tp) < 8 ? 8 * (int)sizeof(_Tp) : 63;
    const bool __has_sign = std::is_signed<_Tp>::value;
    if (sizeof(_Tp) >= 8)
        return 0;
    return (__v >> __bits) + (__has_sign && ((__v >> (__bits - 1)) & 1)); /* rounded to the nearest */
}

/** The values that C++ computes, if these are evenly spaced, too. */
template <class _Tp> inline row_value<_Tp> row_settled(row_value<_Tp> __v)
{
    constexpr int __bits = sizeof(_Tp) < 8 ? 8 * (int)sizeof(_Tp) : 0;
    const int64_t __around = row_wraps<_Tp>(__v.first);
    if (sizeof(_Tp) >= 8 && !std::is_signed<_Tp>::value && (__v.first < 0 || __v.last < 0))
        return row_value<_Tp>();
    if (__around != row_wraps<_Tp>(__v.last))
        return row_value<_Tp>();
    const int64_t __beside = (int64_t)((uint64_t)__around << __bits);
    return sizeof(_Tp) >= 8 ? __v : row_value<_Tp>(__v.known, __v.first - __beside, __v.last - __beside);
}

/** A value that is converted to another type. */
template <class _Tp> template <class _Up> row_value<_Tp>::row_value(row_value<_Up> __v) : row_value()
{
    const row_value<_Up> __from = sizeof(_Tp) > sizeof(_Up) ? row_settled(__v) : __v;
    *this = row_value(__from.known, __from.first, __from.last);
}

template <class _Tp> row_truth::row_truth(row_value<_Tp> __v) : is(_Unknown)
{
    const row_value<_Tp> __s = row_settled(__v);
    const bool __below = __s.first < 0 && __s.last<0, __above = __s.first> 0 && __s.last > 0;
    if (__s.known)
        is = __s.first == 0 && __s.last == 0 ? _None : __below || __above ? _All : _Unknown;
}

/** Whether a variable is computed as ::umsim::evenly does: an int has evenly spaced values, and none wraps
 * around; of others nothing is asked. */
inline row_truth row_spaced(row_value<int> __v)
{
    return row_truth(row_settled(__v).known ? _All : _Unknown);
}
template <class _Tp> inline row_truth row_spaced(const _Tp &)
{
    return row_truth(_All);
}

/** threadIdx of a row. */
struct row_index {
    row_value<unsigned> x;
    unsigned y, z;
};

/** The class that stands for variables of type T. */
template <class _Tp, bool _Number = std::is_arithmetic<_Tp>::value && !std::is_volatile<_Tp>::value>
struct row_class {
    typedef row_value<typename std::remove_cv<_Tp>::type> type;
};
template <class _Tp> struct row_class<_Tp, false> {
    typedef row_other type;
};
template <> struct row_class<bool, true> {
    typedef row_truth type;
};
template <> struct row_class<const bool, true> {
    typedef row_truth type;
};
template <class _Tp> using row_variable = typename row_class<_Tp>::type;

/** @name An operand that is the same for all threads
 * Numbers become rows of one value: then nothing is computed here that C++ does not define, and that the
 * kernel itself may compute as a GPU does.
 * @{ */
template <class _Tp>
inline typename std::enable_if<is_row_integer<_Tp>::value ||
                                   (std::is_enum<_Tp>::value && is_row_number<_Tp>::value),
                               row_value<decltype(+std::declval<_Tp>())>>::type
row_of(_Tp __v)
{
    return row_value<decltype(+std::declval<_Tp>())>(+__v);
}
inline row_truth row_of(bool __v)
{
    return row_truth(__v);
}
template <class _Tp>
inline typename std::enable_if<!is_row_integer<_Tp>::value && !std::is_same<_Tp, bool>::value &&
                                   !(std::is_enum<_Tp>::value && is_row_number<_Tp>::value),
                               _Tp>::type
row_of(_Tp __v)
{
    return __v;
}
/** @} */

/** A cast: `row_to<unsigned>() ->* x` for `(unsigned)x`, because that operator binds as tightly, and
 * `row_to<unsigned>()(x)` for `unsigned(x)`. */
template <class _Tp> struct row_to {
    /* What a number with a fraction becomes may be out of range. */
    template <class _Up> struct is_cut {
        static constexpr bool value =
            std::is_floating_point<_Up>::value && (std::is_integral<_Tp>::value || std::is_enum<_Tp>::value);
    };
    template <class _Up>
    typename std::enable_if<(is_row_number<_Up>::value || std::is_pointer<_Up>::value) && !is_cut<_Up>::value,
                            _Tp>::type
    operator()(_Up __v) const
    {
        return (_Tp)__v;
    }
    template <class _Up>
    typename std::enable_if<is_cut<_Up>::value, row_variable<_Tp>>::type operator()(_Up) const
    {
        return row_other();
    }
    template <class _Up> row_variable<_Tp> operator()(row_value<_Up> __v) const
    {
        return __v;
    }
    row_variable<_Tp> operator()(row_truth __v) const
    {
        return __v;
    }
    row_other operator()(row_other __v) const
    {
        return __v;
    }
};
/** `row_to<A>() ->* row_to<B>() ->* x` is read from the left. */
template <class _Ap, class _Bp> struct row_chain {
    _Ap outer;
    _Bp inner;
    template <class _Xp>
    auto operator()(_Xp __x) const -> decltype(std::declval<_Ap>()(std::declval<_Bp>()(__x)))
    {
        return outer(inner(__x));
    }
};
template <class _Tp> struct is_row_cast : std::false_type {
};
template <class _Tp> struct is_row_cast<row_to<_Tp>> : std::true_type {
};
template <class _Ap, class _Bp> struct is_row_cast<row_chain<_Ap, _Bp>> : std::true_type {
};
template <class _Cp, class _Xp,
          class = typename std::enable_if<is_row_cast<_Cp>::value && !is_row_cast<_Xp>::value>::type>
auto operator->*(_Cp __cast, _Xp __x) -> decltype(__cast(__x))
{
    return __cast(__x);
}
template <class _Ap, class _Bp>
typename std::enable_if<is_row_cast<_Ap>::value && is_row_cast<_Bp>::value, row_chain<_Ap, _Bp>>::type
operator->*(_Ap __a, _Bp __b)
{
    return row_chain<_Ap, _Bp>{__a, __b};
}

} // namespace umsim

#endif
