/**
 * @file umsim/keyed.h
 * @brief Assignments of device code that umcc compiles with --keyed: what goes to global memory is mixed with
 * the grader's key (umsim/keyed_value.h).
 *
 * umcc puts these names into device code (sim/umcc/keyed.c):
 *
 *     a <<= ::umsim::keyed::put<'='>() |= b                                   for a = b
 *     a <<= ::umsim::keyed::put<'+'>() |= ::umsim::keyed::added() |= b        for a += b
 *     ::umsim::keyed::before<'+'>(a), ::umsim::keyed::after<'+'>(a)           for ++a, a++
 *     ::umsim::keyed::read(p[i]), of p->x and *p, too                         for p[i] that is read
 *     ::umsim::keyed::atomic_add(p, b)                                        for atomicAdd(p, b)
 *
 * Where a value lies is asked by its address, at run time. So it does not matter how a program spells the
 * place: by an index, a member, a reference, a variable's name.
 *
 * What is read is mixed, too, where it is a floating-point number, or an integer that is added to something
 * or subtracted: so what a kernel makes of many numbers is not had by a launch on what they come to. Other
 * integers lead somewhere.
 */
#ifndef UMSIM_KEYED_H
#define UMSIM_KEYED_H

#include "keyed_value.h"
#include "undefined.h"

#define UMSIM_KEYED_INLINE __attribute__((always_inline, artificial)) inline

/** @cond internal */
namespace umsim
{
namespace keyed
{
template <class _Tp> constexpr enum umsim_keyed_kind kind_of()
{
    typedef typename defined::bare<_Tp>::type type;
    if (defined::number<type>::kind == defined::real_number)
        return sizeof(type) == 4   ? UMSIM_KEYED_FLOAT
               : sizeof(type) == 8 ? UMSIM_KEYED_DOUBLE
                                   : UMSIM_KEYED_NOT;
    if (defined::number<type>::kind != defined::whole_number)
        return UMSIM_KEYED_NOT;
    return sizeof(type) == 1   ? UMSIM_KEYED_WHOLE_8
           : sizeof(type) == 2 ? UMSIM_KEYED_WHOLE_16
           : sizeof(type) == 4 ? UMSIM_KEYED_WHOLE_32
                               : UMSIM_KEYED_WHOLE_64;
}

template <class _Tp>
UMSIM_KEYED_INLINE _Tp mixed(const volatile void *place, _Tp value, enum umsim_keyed_use use)
{
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = umsim_keyed(place, __builtin_frame_address(0), kind_of<_Tp>(), use, bits);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* The right side of an assignment whose operator begins with `_Op`. */
template <char _Op, class _Right> struct right_side {
    _Right &&value;
};
template <char _Op> struct put {
    template <class _Right> UMSIM_KEYED_INLINE right_side<_Op, _Right> operator|=(_Right &&value) const
    {
        return {static_cast<_Right &&>(value)};
    }
};

template <char _Op, class _Left, class _Right> UMSIM_KEYED_INLINE void apply(_Left &left, _Right &&right)
{
    if constexpr (_Op == '=')
        left = static_cast<_Right &&>(right);
    else if constexpr (_Op == '+')
        left += static_cast<_Right &&>(right);
    else if constexpr (_Op == '-')
        left -= static_cast<_Right &&>(right);
    else if constexpr (_Op == '*')
        left *= static_cast<_Right &&>(right);
    else if constexpr (_Op == '/')
        left /= static_cast<_Right &&>(right);
    else if constexpr (_Op == '%')
        left %= static_cast<_Right &&>(right);
    else if constexpr (_Op == '&')
        left &= static_cast<_Right &&>(right);
    else if constexpr (_Op == '|')
        left |= static_cast<_Right &&>(right);
    else if constexpr (_Op == '^')
        left ^= static_cast<_Right &&>(right);
    else if constexpr (_Op == '<')
        left <<= static_cast<_Right &&>(right);
    else
        left >>= static_cast<_Right &&>(right);
}

/* Pointers lead somewhere, and 0 is one; of structures nobody knows what is in them. */
template <class _Left, char _Op, class _Right>
UMSIM_KEYED_INLINE void assign_other(_Left &left, right_side<_Op, _Right> &&right)
{
    typedef typename defined::bare<_Left>::type type;
    if constexpr (__is_class(type) || __is_union(type))
        umsim_keyed_refuse(__builtin_addressof(left), sizeof left);
    if constexpr (_Op == '=' && !__is_class(type) && !__is_union(type) &&
                  defined::number<typename defined::bare<_Right>::type>::kind == defined::whole_number &&
                  sizeof(type) == sizeof(void *) && !__is_enum(type))
        left = reinterpret_cast<type>(static_cast<uintptr_t>(right.value));
    else
        apply<_Op>(left, static_cast<_Right &&>(right.value));
}

template <class _Tp, bool _Number> struct operand {
    typedef _Tp &&type;
};
template <class _Tp> struct operand<_Tp, true> {
    typedef typename defined::bare<_Tp>::type type;
};
template <class _Tp> struct is_lvalue {
    static constexpr bool value = false;
};
template <class _Tp> struct is_lvalue<_Tp &> {
    static constexpr bool value = true;
};

template <class _Tp> constexpr bool is_real()
{
    return kind_of<_Tp>() == UMSIM_KEYED_FLOAT || kind_of<_Tp>() == UMSIM_KEYED_DOUBLE;
}

template <class _Tp>
UMSIM_KEYED_INLINE typename operand<_Tp, is_real<_Tp>() && is_lvalue<_Tp>::value>::type read(_Tp &&value)
{
    if constexpr (is_real<_Tp>() && is_lvalue<_Tp>::value)
        return mixed(&value, static_cast<typename defined::bare<_Tp>::type>(value), UMSIM_KEYED_READ);
    else
        return static_cast<_Tp &&>(value);
}

template <class _Left, char _Op, class _Right>
UMSIM_KEYED_INLINE _Left &operator<<=(_Left &left, right_side<_Op, _Right> &&right)
{
    if constexpr (kind_of<_Left>() != UMSIM_KEYED_NOT) {
        typename defined::bare<_Left>::type value;
        if constexpr (_Op != '=')
            value = read(left);
        apply<_Op>(value, static_cast<_Right &&>(right.value));
        left = mixed(&left, value, UMSIM_KEYED_STORED);
    } else {
        assign_other(left, static_cast<right_side<_Op, _Right> &&>(right));
    }
    return left;
}

/* What a sum takes in: an integer that lies in memory. Floating-point numbers have been read. */
struct added {
    template <class _Tp>
    UMSIM_KEYED_INLINE typename operand<_Tp, kind_of<_Tp>() != UMSIM_KEYED_NOT>::type
    operator|=(_Tp &&value) const
    {
        if constexpr (kind_of<_Tp>() != UMSIM_KEYED_NOT && is_lvalue<_Tp>::value)
            return mixed(&value, static_cast<typename defined::bare<_Tp>::type>(value), UMSIM_KEYED_READ);
        else
            return static_cast<_Tp &&>(value);
    }
};

template <char _Op, class _Left> UMSIM_KEYED_INLINE decltype(auto) before(_Left &&left)
{
    if constexpr (kind_of<_Left>() != UMSIM_KEYED_NOT)
        return left <<= put<_Op>() |= 1;
    else if constexpr (_Op == '+')
        return ++left;
    else
        return --left;
}

template <char _Op, class _Left> UMSIM_KEYED_INLINE auto after(_Left &&left)
{
    if constexpr (kind_of<_Left>() != UMSIM_KEYED_NOT) {
        const typename defined::bare<_Left>::type old = left;
        left <<= put<_Op>() |= 1;
        return old;
    } else if constexpr (_Op == '+') {
        return left++;
    } else {
        return left--;
    }
}

/* A class's numbers, such as a half's, are not mixed. */
template <class _Tp, class _Value> UMSIM_KEYED_INLINE auto addend(_Tp *place, _Value value)
{
    if constexpr (kind_of<_Tp>() != UMSIM_KEYED_NOT) {
        return mixed(place, static_cast<typename defined::bare<_Tp>::type>(value), UMSIM_KEYED_READ);
    } else {
        umsim_keyed_refuse(place, sizeof *place);
        return value;
    }
}
template <class _Tp, class _Value> UMSIM_KEYED_INLINE auto atomic_add(_Tp *place, _Value value)
{
    return atomicAdd(place, addend(place, value));
}
template <class _Tp, class _Value> UMSIM_KEYED_INLINE auto atomic_sub(_Tp *place, _Value value)
{
    return atomicSub(place, addend(place, value));
}
} // namespace keyed
} // namespace umsim
/** @endcond */

#endif
