/**
 * @file reducing.h
 * @brief Algorithms that make one value of all elements: reduce, count, min_element, find, equal, and
 * related functions.
 *
 * Each thread reduces a part; then one thread reduces the parts' results, in order. So operations need only
 * be associative.
 */
#ifndef UMSIM_THRUST_REDUCING_H
#define UMSIM_THRUST_REDUCING_H

#include "traffic.h"
#include "transforming.h"
#include "pair.h"

namespace thrust
{
namespace detail
{

/* Begins p[part] = op(... get(first of the part) ..., get(its last)); `__told` tells what get() reads. */
template <class _Tp, class _Sp, class _Gp, class _Fp, class _Mp>
void begin_part_sums(_Sp __s, index __n, index __count, _Tp *__p, _Gp __get, _Fp __op, const _Mp &__told)
{
    begin(
        __s, __count,
        [=](index __part) mutable {
            const index __end = part_begin(__part + 1, __count, __n);
            index __i = part_begin(__part, __count, __n);
            _Tp __sum = __get(__i);
            while (++__i < __end)
                __sum = __op(__sum, __get(__i));
            __p[__part] = __sum;
        },
        __n, __told);
}

/* Calls put(op(... op(init, get(0)) ..., get(n - 1))) in a kernel, and waits for it; `__told` tells what
 * get() reads. In parts, but for few. */
template <class _Tp, class _Gp, class _Fp, class _Mp, class _Pp>
void reduce_on_device(on_device __s, index __n, _Gp __get, _Tp __init, _Fp __op, const _Mp &__told, _Pp __put)
{
    constexpr index __few = 4096;
    const index __count = __n <= __few ? 0 : parts(__s, __n);
    temporary<_Tp, on_device> __sums(__s, __count);
    _Tp *const __p = __sums.get();
    begin_part_sums(__s, __n, __count, __p, __get, __op, __told);
    if (__count > 0)
        begin(
            __s, 1,
            [=](index) mutable {
                _Tp __sum = __init;
                for (index __i = 0; __i < __count; __i++)
                    __sum = __op(__sum, __p[__i]);
                __put(__sum);
            },
            __count, reading(__p));
    else
        begin(
            __s, 1,
            [=](index) mutable {
                _Tp __sum = __init;
                for (index __i = 0; __i < __n; __i++)
                    __sum = __op(__sum, __get(__i));
                __put(__sum);
            },
            __n, __told);
    finish(__s);
}

/* The same, for the caller. */
template <class _Sp, class _Gp, class _Tp, class _Fp, class _Mp>
_Tp reduce_all(_Sp __s, index __n, _Gp __get, _Tp __init, _Fp __op, const _Mp &__told)
{
    if constexpr (!_Sp::device) {
        _Tp __sum = __init;
        for (index __i = 0; __i < __n; __i++)
            __sum = __op(__sum, __get(__i));
        return __sum;
    } else {
        if (__n <= 0)
            return __init;
        temporary<_Tp, _Sp> __result(__s, 1);
        _Tp *const __p = __result.get();
        reduce_on_device(__s, __n, __get, __init, __op, __told,
                         [=](const _Tp &__sum) mutable { __p[0] = __sum; });
        return __result.read(0);
    }
}

struct add {
    template <class _Ap, class _Bp> auto operator()(const _Ap &__a, const _Bp &__b) const
    {
        return __a + __b;
    }
};
struct is_equal {
    template <class _Ap, class _Bp> bool operator()(const _Ap &__a, const _Bp &__b) const
    {
        return __a == __b;
    }
};
struct is_less {
    template <class _Ap, class _Bp> bool operator()(const _Ap &__a, const _Bp &__b) const
    {
        return __a < __b;
    }
};

struct reduce_op {
    template <class _Sp, class _Ip> static value_of<_Ip> go(_Sp __s, _Ip __first, _Ip __last)
    {
        return go(__s, __first, __last, value_of<_Ip>());
    }
    template <class _Sp, class _Ip, class _Tp> static _Tp go(_Sp __s, _Ip __first, _Ip __last, _Tp __init)
    {
        return go(__s, __first, __last, __init, add());
    }
    template <class _Sp, class _Ip, class _Tp, class _Fp>
    static _Tp go(_Sp __s, _Ip __first, _Ip __last, _Tp __init, _Fp __op)
    {
        auto __from = raw(__first);
        return reduce_all(
            __s, __last - __first, [=](index __i) mutable -> _Tp { return __from[__i]; }, __init, __op,
            reading(__from));
    }
};
struct transform_reduce_op {
    template <class _Sp, class _Ip, class _Up, class _Tp, class _Fp>
    static _Tp go(_Sp __s, _Ip __first, _Ip __last, _Up __unary, _Tp __init, _Fp __op)
    {
        auto __from = raw(__first);
        return reduce_all(
            __s, __last - __first, [=](index __i) mutable -> _Tp { return __unary(__from[__i]); }, __init,
            __op, reading(__from));
    }
};
struct inner_product_op {
    template <class _Sp, class _Ip, class _Jp, class _Tp>
    static _Tp go(_Sp __s, _Ip __first, _Ip __last, _Jp __second, _Tp __init)
    {
        return go(__s, __first, __last, __second, __init, add(),
                  [](const auto &__a, const auto &__b) { return __a * __b; });
    }
    template <class _Sp, class _Ip, class _Jp, class _Tp, class _Fp, class _Gp>
    static _Tp go(_Sp __s, _Ip __first, _Ip __last, _Jp __second, _Tp __init, _Fp __op, _Gp __product)
    {
        auto __a = raw(__first);
        auto __b = raw(__second);
        return reduce_all(
            __s, __last - __first, [=](index __i) mutable -> _Tp { return __product(__a[__i], __b[__i]); },
            __init, __op, reading(__a, __b));
    }
};
struct count_if_op {
    template <class _Sp, class _Ip, class _Pp>
    static index go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        auto __from = raw(__first);
        return reduce_all(
            __s, __last - __first,
            [=](index __i) mutable -> index { return __predicate(__from[__i]) ? 1 : 0; }, (index)0, add(),
            reading(__from));
    }
};
struct count_op {
    template <class _Sp, class _Ip, class _Tp> static index go(_Sp __s, _Ip __first, _Ip __last, _Tp __value)
    {
        return count_if_op::go(__s, __first, __last,
                               [=](const value_of<_Ip> &__v) { return __v == __value; });
    }
};

/* The first index for which get() is true; n if there is none. */
template <class _Sp, class _Gp, class _Mp> index first_index(_Sp __s, index __n, _Gp __get, const _Mp &__told)
{
    if constexpr (!_Sp::device) {
        for (index __i = 0; __i < __n; __i++)
            if (__get(__i))
                return __i;
        return __n;
    } else
        return reduce_all(
            __s, __n, [=](index __i) mutable -> index { return __get(__i) ? __i : __n; }, __n,
            [](index __a, index __b) { return __a < __b ? __a : __b; }, __told);
}
struct find_if_op {
    template <class _Sp, class _Ip, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        auto __from = raw(__first);
        return __first + first_index(
                             __s, __last - __first,
                             [=](index __i) mutable -> bool { return __predicate(__from[__i]); },
                             reading(__from));
    }
};
struct find_if_not_op {
    template <class _Sp, class _Ip, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        auto __from = raw(__first);
        return __first + first_index(
                             __s, __last - __first,
                             [=](index __i) mutable -> bool { return !__predicate(__from[__i]); },
                             reading(__from));
    }
};
struct find_op {
    template <class _Sp, class _Ip, class _Tp> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Tp __value)
    {
        return find_if_op::go(__s, __first, __last, [=](const value_of<_Ip> &__v) { return __v == __value; });
    }
};
struct any_of_op {
    template <class _Sp, class _Ip, class _Pp>
    static bool go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return find_if_op::go(__s, __first, __last, __predicate) != __last;
    }
};
struct none_of_op {
    template <class _Sp, class _Ip, class _Pp>
    static bool go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return find_if_op::go(__s, __first, __last, __predicate) == __last;
    }
};
struct all_of_op {
    template <class _Sp, class _Ip, class _Pp>
    static bool go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return find_if_not_op::go(__s, __first, __last, __predicate) == __last;
    }
};
struct mismatch_op {
    template <class _Sp, class _Ip, class _Jp>
    static pair<_Ip, _Jp> go(_Sp __s, _Ip __first, _Ip __last, _Jp __second)
    {
        return go(__s, __first, __last, __second, is_equal());
    }
    template <class _Sp, class _Ip, class _Jp, class _Pp>
    static pair<_Ip, _Jp> go(_Sp __s, _Ip __first, _Ip __last, _Jp __second, _Pp __same)
    {
        auto __a = raw(__first);
        auto __b = raw(__second);
        const index __i = first_index(
            __s, __last - __first, [=](index __i) mutable -> bool { return !__same(__a[__i], __b[__i]); },
            reading(__a, __b));
        return {__first + __i, __second + __i};
    }
};
struct equal_op {
    template <class _Sp, class _Ip, class _Jp> static bool go(_Sp __s, _Ip __first, _Ip __last, _Jp __second)
    {
        return mismatch_op::go(__s, __first, __last, __second).first == __last;
    }
    template <class _Sp, class _Ip, class _Jp, class _Pp>
    static bool go(_Sp __s, _Ip __first, _Ip __last, _Jp __second, _Pp __same)
    {
        return mismatch_op::go(__s, __first, __last, __second, __same).first == __last;
    }
};
struct is_sorted_until_op {
    template <class _Sp, class _Ip> static _Ip go(_Sp __s, _Ip __first, _Ip __last)
    {
        return go(__s, __first, __last, is_less());
    }
    template <class _Sp, class _Ip, class _Cp> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Cp __less)
    {
        auto __a = raw(__first);
        return __first +
               first_index(
                   __s, __last - __first,
                   [=](index __i) mutable -> bool { return __i > 0 && __less(__a[__i], __a[__i - 1]); },
                   reading(__a));
    }
};
struct is_sorted_op {
    template <class _Sp, class _Ip> static bool go(_Sp __s, _Ip __first, _Ip __last)
    {
        return is_sorted_until_op::go(__s, __first, __last) == __last;
    }
    template <class _Sp, class _Ip, class _Cp> static bool go(_Sp __s, _Ip __first, _Ip __last, _Cp __less)
    {
        return is_sorted_until_op::go(__s, __first, __last, __less) == __last;
    }
};

/* The first of the elements that no other precedes. */
template <class _Sp, class _Ip, class _Cp> index first_of_least(_Sp __s, _Ip __first, index __n, _Cp __less)
{
    auto __a = raw(__first);
    return reduce_all(
        __s, __n, [=](index __i) { return __i; }, (index)0,
        [=](index __i, index __j) mutable -> index {
            return __less(__a[__j], __a[__i]) || (!__less(__a[__i], __a[__j]) && __j < __i) ? __j : __i;
        },
        reading(__a));
}
struct min_element_op {
    template <class _Sp, class _Ip> static _Ip go(_Sp __s, _Ip __first, _Ip __last)
    {
        return go(__s, __first, __last, is_less());
    }
    template <class _Sp, class _Ip, class _Cp> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Cp __less)
    {
        return __first == __last ? __last : __first + first_of_least(__s, __first, __last - __first, __less);
    }
};
struct max_element_op {
    template <class _Sp, class _Ip> static _Ip go(_Sp __s, _Ip __first, _Ip __last)
    {
        return go(__s, __first, __last, is_less());
    }
    template <class _Sp, class _Ip, class _Cp> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Cp __less)
    {
        return min_element_op::go(__s, __first, __last,
                                  [=](const auto &__a, const auto &__b) mutable { return __less(__b, __a); });
    }
};
struct minmax_element_op {
    template <class _Sp, class _Ip> static pair<_Ip, _Ip> go(_Sp __s, _Ip __first, _Ip __last)
    {
        return go(__s, __first, __last, is_less());
    }
    template <class _Sp, class _Ip, class _Cp>
    static pair<_Ip, _Ip> go(_Sp __s, _Ip __first, _Ip __last, _Cp __less)
    {
        return {min_element_op::go(__s, __first, __last, __less),
                max_element_op::go(__s, __first, __last, __less)};
    }
};
} // namespace detail

UMSIM_THRUST_ALGORITHM(reduce)
UMSIM_THRUST_ALGORITHM(transform_reduce)
UMSIM_THRUST_ALGORITHM(inner_product)
UMSIM_THRUST_ALGORITHM(count)
UMSIM_THRUST_ALGORITHM(count_if)
UMSIM_THRUST_ALGORITHM(find)
UMSIM_THRUST_ALGORITHM(find_if)
UMSIM_THRUST_ALGORITHM(find_if_not)
UMSIM_THRUST_ALGORITHM(any_of)
UMSIM_THRUST_ALGORITHM(none_of)
UMSIM_THRUST_ALGORITHM(all_of)
UMSIM_THRUST_ALGORITHM(mismatch)
UMSIM_THRUST_ALGORITHM(equal)
UMSIM_THRUST_ALGORITHM(is_sorted_until)
UMSIM_THRUST_ALGORITHM(is_sorted)
UMSIM_THRUST_ALGORITHM(min_element)
UMSIM_THRUST_ALGORITHM(max_element)
UMSIM_THRUST_ALGORITHM(minmax_element)
} // namespace thrust

#endif
