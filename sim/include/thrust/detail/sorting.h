/**
 * @file sorting.h
 * @brief sort, stable_sort, sort_by_key, and binary searches, merges and operations on sorted sets.
 *
 * Every sort is stable. Numbers by < or > are sorted by their bits (radix.h). All else is sorted in tiles,
 * which are then merged: each thread finds by bisection where its share of the result begins in both runs.
 */
#ifndef UMSIM_THRUST_SORTING_H
#define UMSIM_THRUST_SORTING_H

#include "merging.h"
#include "radix.h"
#include "selecting.h"
#include "zip_iterator.h"

namespace thrust
{
namespace detail
{

template <class _Ip, class _Tp, class _Cp>
index lower(_Ip __sorted, index __n, const _Tp &__value, _Cp __less)
{
    return bisect(__n, [&](index __i) { return __less(__sorted[__i], __value); });
}
template <class _Ip, class _Tp, class _Cp>
index upper(_Ip __sorted, index __n, const _Tp &__value, _Cp __less)
{
    return bisect(__n, [&](index __i) { return !__less(__value, __sorted[__i]); });
}

/* Sorts p[0, n) on the calling thread. @return the one of `__p` and `__q` that has the elements in order */
template <class _Tp, class _Cp> _Tp *sort_alone(_Tp *__p, _Tp *__q, index __n, _Cp &__less)
{
    constexpr index __run = 32;
    for (index __begin = 0; __begin < __n; __begin += __run) {
        const index __end = __begin + __run < __n ? __begin + __run : __n;
        for (index __i = __begin + 1; __i < __end; __i++) {
            _Tp __moved = __p[__i];
            index __j = __i;
            for (; __j > __begin && __less(__moved, __p[__j - 1]); __j--)
                __p[__j] = __p[__j - 1];
            __p[__j] = __moved;
        }
    }
    for (index __width = __run; __width < __n; __width *= 2) {
        for (index __base = 0; __base < __n; __base += 2 * __width) {
            const index __rest = __n - __base, __na = __rest < __width ? __rest : __width,
                        __nb = __rest - __na < __width ? __rest - __na : __width;
            const _Tp *const __from = __p + __base;
            _Tp *const __to = __q + __base;
            merge_share(__from, __na, __nb, 0, __na + __nb, __less,
                        [=](index __o, index __i) { __to[__o] = __from[__i]; });
        }
        _Tp *const __sorted = __q;
        __q = __p;
        __p = __sorted;
    }
    return __p;
}

/* From p to q: each two of p's sorted runs of so many elements become one. */
template <class _Tp, class _Sp, class _Cp>
void merge_pass(_Sp __s, const _Tp *__p, _Tp *__q, index __n, index __width, _Cp __less)
{
    constexpr index __share = 256;
    const index __step = __share < 2 * __width ? __share : 2 * __width;
    begin(
        __s, (__n + __step - 1) / __step,
        [=](index __t) mutable {
            const index __begin = __t * __step, __end = __begin + __step < __n ? __begin + __step : __n;
            const index __base = __begin / (2 * __width) * (2 * __width);
            const index __rest = __n - __base, __na = __rest < __width ? __rest : __width;
            const index __nb = __rest - __na < __width ? __rest - __na : __width;
            const _Tp *const __from = __p + __base;
            _Tp *const __to = __q + __base;
            merge_share(__from, __na, __nb, __begin - __base, __end - __base, __less,
                        [=](index __o, index __i) { __to[__o] = __from[__i]; });
        },
        __n, together(reading(__p), writing(__q)));
}

/* @return the one of `__p` and `__q`, both of `__n` elements, that has p's elements in order; finish() waits
 * for it */
template <class _Tp, class _Sp, class _Cp> _Tp *sort_array(_Sp __s, _Tp *__p, _Tp *__q, index __n, _Cp __less)
{
    constexpr index __tile = 2048; /* what a block of NVIDIA's sorts in shared memory is of this size */
    if constexpr (radix_order<_Cp, _Tp>::value)
        if (__n > 2 * __tile)
            return radix_sort_array(__s, __p, __q, __n, __less);
    begin(
        __s, (__n + __tile - 1) / __tile,
        [=](index __t) mutable {
            const index __begin = __t * __tile, __count = __n - __begin < __tile ? __n - __begin : __tile;
            _Tp *const __mine = __p + __begin;
            const _Tp *const __sorted = sort_alone(__mine, __q + __begin, __count, __less);
            for (index __i = 0; __sorted != __mine && __i < __count; __i++)
                __mine[__i] = __sorted[__i];
        },
        __n, together(reading(__p), writing(__p)));
    for (index __width = __tile; __width < __n; __width *= 2) {
        merge_pass(__s, __p, __q, __n, __width, __less);
        _Tp *const __sorted = __q;
        __q = __p;
        __p = __sorted;
    }
    return __p;
}

struct stable_sort_op {
    template <class _Sp, class _Ip> static void go(_Sp __s, _Ip __first, _Ip __last)
    {
        go(__s, __first, __last, std::less<>());
    }
    template <class _Sp, class _Ip, class _Cp> static void go(_Sp __s, _Ip __first, _Ip __last, _Cp __less)
    {
        using _Tp = value_of<_Ip>;
        const index __n = __last - __first;
        auto __a = raw(__first);
        temporary<_Tp, _Sp> __other(__s, __n);
        if constexpr (std::is_pointer_v<decltype(__a)>) {
            copy_back(__s, sort_array(__s, __a, __other.get(), __n, __less), __a, __n);
        } else {
            temporary<_Tp, _Sp> __elements(__s, __n);
            _Tp *const __p = __elements.get();
            begin(
                __s, __n, [=](index __i) mutable { __p[__i] = __a[__i]; }, __n,
                together(reading(__a), writing(__p)));
            copy_back(__s, sort_array(__s, __p, __other.get(), __n, __less), __a, __n);
        }
    }

  private:
    template <class _Sp, class _Tp, class _Ip>
    static void copy_back(_Sp __s, const _Tp *__sorted, _Ip __a, index __n)
    {
        bool __is_there = false;
        if constexpr (std::is_pointer_v<_Ip>)
            __is_there = __sorted == __a;
        if (!__is_there)
            begin(
                __s, __n, [=](index __i) mutable { __a[__i] = __sorted[__i]; }, __n,
                together(reading(__sorted), writing(__a)));
        finish(__s);
    }
};
struct sort_op : stable_sort_op {
};
struct stable_sort_by_key_op {
    template <class _Sp, class _Kp, class _Vp> static void go(_Sp __s, _Kp __keys, _Kp __end, _Vp __values)
    {
        go(__s, __keys, __end, __values, std::less<>());
    }
    template <class _Sp, class _Kp, class _Vp, class _Cp>
    static void go(_Sp __s, _Kp __keys, _Kp __end, _Vp __values, _Cp __less)
    {
        auto __pairs = make_zip_iterator(raw(__keys), raw(__values));
        stable_sort_op::go(__s, __pairs, __pairs + (__end - __keys), by_first<_Cp>{__less});
    }
};
struct sort_by_key_op : stable_sort_by_key_op {
};

#define UMSIM_THRUST_SEARCH(name, result, expression)                                                        \
    struct name##_op {                                                                                       \
        template <class _Sp, class _Ip, class _Tp>                                                           \
        static auto go(_Sp __s, _Ip __first, _Ip __last, _Tp __value)                                        \
        {                                                                                                    \
            return go(__s, __first, __last, __value, is_less());                                             \
        }                                                                                                    \
        template <class _Sp, class _Ip, class _Tp, class _Cp>                                                \
        static auto go(_Sp __s, _Ip __first, _Ip __last, _Tp __value, _Cp __less)                            \
        {                                                                                                    \
            auto __a = raw(__first);                                                                         \
            const index __n = __last - __first;                                                              \
            temporary<index, _Sp> __found(__s, 1);                                                           \
            index *const __p = __found.get();                                                                \
            each(__s, 1, [=](index) mutable { *__p = (index)(expression); });                                \
            const index __place = __found.read(0);                                                           \
            return result;                                                                                   \
        }                                                                                                    \
        template <class _Sp, class _Ip, class _Jp, class _Op>                                                \
        static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __values, _Jp __end, _Op __out)                  \
        {                                                                                                    \
            return go(__s, __first, __last, __values, __end, __out, is_less());                              \
        }                                                                                                    \
        template <class _Sp, class _Ip, class _Jp, class _Op, class _Cp>                                     \
        static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __values, _Jp __end, _Op __out, _Cp __less)      \
        {                                                                                                    \
            auto __a = raw(__first);                                                                         \
            auto __v = raw(__values);                                                                        \
            auto __to = raw(__out);                                                                          \
            const index __n = __last - __first;                                                              \
            each(__s, __end - __values, [=](index __i) mutable {                                             \
                const value_of<_Jp> __value = __v[__i];                                                      \
                __to[__i] = (expression);                                                                    \
            });                                                                                              \
            return __out + (__end - __values);                                                               \
        }                                                                                                    \
    };
UMSIM_THRUST_SEARCH(lower_bound, __first + __place, lower(__a, __n, __value, __less))
UMSIM_THRUST_SEARCH(upper_bound, __first + __place, upper(__a, __n, __value, __less))
UMSIM_THRUST_SEARCH(binary_search, __place != 0,
                    lower(__a, __n, __value, __less) != upper(__a, __n, __value, __less))
#undef UMSIM_THRUST_SEARCH

struct equal_range_op {
    template <class _Sp, class _Ip, class _Tp>
    static pair<_Ip, _Ip> go(_Sp __s, _Ip __first, _Ip __last, _Tp __value)
    {
        return go(__s, __first, __last, __value, is_less());
    }
    template <class _Sp, class _Ip, class _Tp, class _Cp>
    static pair<_Ip, _Ip> go(_Sp __s, _Ip __first, _Ip __last, _Tp __value, _Cp __less)
    {
        return {lower_bound_op::go(__s, __first, __last, __value, __less),
                upper_bound_op::go(__s, __first, __last, __value, __less)};
    }
};
struct merge_op {
    template <class _Sp, class _Ip, class _Jp, class _Op>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out)
    {
        return go(__s, __first, __last, __other, __end, __out, is_less());
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Cp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out, _Cp __less)
    {
        auto __a = raw(__first);
        auto __b = raw(__other);
        auto __to = raw(__out);
        const index __na = __last - __first, __nb = __end - __other;
        begin(
            __s, __na,
            [=](index __i) mutable {
                const value_of<_Ip> __v = __a[__i];
                __to[__i + lower(__b, __nb, __v, __less)] = __v;
            },
            __na, together(reading(__a), writing(__to)));
        begin(
            __s, __nb,
            [=](index __i) mutable {
                const value_of<_Jp> __v = __b[__i];
                __to[__i + upper(__a, __na, __v, __less)] = __v;
            },
            __nb, together(reading(__b), writing(__to)));
        finish(__s);
        return __out + (__na + __nb);
    }
};
struct merge_by_key_op {
    template <class _Sp, class _Kp, class _Lp, class _Vp, class _Wp, class _Ap, class _Bp>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __k, _Kp __k_end, _Lp __l, _Lp __l_end, _Vp __v, _Wp __w,
                             _Ap __keys_out, _Bp __values_out)
    {
        return go(__s, __k, __k_end, __l, __l_end, __v, __w, __keys_out, __values_out, is_less());
    }
    template <class _Sp, class _Kp, class _Lp, class _Vp, class _Wp, class _Ap, class _Bp, class _Cp>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __k, _Kp __k_end, _Lp __l, _Lp __l_end, _Vp __v, _Wp __w,
                             _Ap __keys_out, _Bp __values_out, _Cp __less)
    {
        using __item = std::tuple<value_of<_Kp>, value_of<_Vp>>;
        const index __n = (__k_end - __k) + (__l_end - __l);
        auto __a = make_zip_iterator(raw(__k), raw(__v));
        auto __b = make_zip_iterator(raw(__l), raw(__w));
        merge_op::go(__s, __a, __a + (__k_end - __k), __b, __b + (__l_end - __l),
                     make_zip_iterator(raw(__keys_out), raw(__values_out)),
                     [=](const __item &__x, const __item &__y) mutable {
                         return __less(std::get<0>(__x), std::get<0>(__y));
                     });
        return {__keys_out + __n, __values_out + __n};
    }
};

/* Whether as many elements equal to a[i] come before it in `__a` as there are in `__b`. */
template <class _Ip, class _Jp, class _Cp>
bool exceeds(_Ip __a, index __na, index __i, _Jp __b, index __nb, _Cp __less)
{
    const value_of<_Ip> __v = __a[__i];
    return __i - lower(__a, __na, __v, __less) >=
           upper(__b, __nb, __v, __less) - lower(__b, __nb, __v, __less);
}
/* The elements of the first range for which exceeds() is `_Beyond`. */
template <bool _Beyond> struct select_against_op {
    template <class _Sp, class _Ip, class _Jp, class _Op>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out)
    {
        return go(__s, __first, __last, __other, __end, __out, is_less());
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Cp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out, _Cp __less)
    {
        auto __a = raw(__first);
        auto __b = raw(__other);
        const index __na = __last - __first, __nb = __end - __other;
        return __out + select(
                           __s, __a, __na, raw(__out),
                           [=](index __i) { return exceeds(__a, __na, __i, __b, __nb, __less) == _Beyond; },
                           [=](index) { tell<false>(__b, __nb); });
    }
};
using set_intersection_op = select_against_op<false>;
using set_difference_op = select_against_op<true>;
struct set_union_op {
    template <class _Sp, class _Ip, class _Jp, class _Op>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out)
    {
        return go(__s, __first, __last, __other, __end, __out, is_less());
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Cp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out, _Cp __less)
    {
        temporary<value_of<_Jp>, _Sp> __added(__s, __end - __other);
        value_of<_Jp> *const __p = __added.get();
        const index __n = set_difference_op::go(__s, __other, __end, __first, __last, __p, __less) - __p;
        return merge_op::go(__s, __first, __last, __p, __p + __n, __out, __less);
    }
};
struct set_symmetric_difference_op {
    template <class _Sp, class _Ip, class _Jp, class _Op>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out)
    {
        return go(__s, __first, __last, __other, __end, __out, is_less());
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Cp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __other, _Jp __end, _Op __out, _Cp __less)
    {
        temporary<value_of<_Ip>, _Sp> __left(__s, __last - __first);
        temporary<value_of<_Jp>, _Sp> __right(__s, __end - __other);
        value_of<_Ip> *const __p = __left.get();
        value_of<_Jp> *const __q = __right.get();
        const index __n = set_difference_op::go(__s, __first, __last, __other, __end, __p, __less) - __p;
        const index __m = set_difference_op::go(__s, __other, __end, __first, __last, __q, __less) - __q;
        return merge_op::go(__s, __p, __p + __n, __q, __q + __m, __out, __less);
    }
};
} // namespace detail

UMSIM_THRUST_ALGORITHM(sort)
UMSIM_THRUST_ALGORITHM(stable_sort)
UMSIM_THRUST_ALGORITHM(sort_by_key)
UMSIM_THRUST_ALGORITHM(stable_sort_by_key)
UMSIM_THRUST_ALGORITHM(lower_bound)
UMSIM_THRUST_ALGORITHM(upper_bound)
UMSIM_THRUST_ALGORITHM(binary_search)
UMSIM_THRUST_ALGORITHM(equal_range)
UMSIM_THRUST_ALGORITHM(merge)
UMSIM_THRUST_ALGORITHM(merge_by_key)
UMSIM_THRUST_ALGORITHM(set_intersection)
UMSIM_THRUST_ALGORITHM(set_difference)
UMSIM_THRUST_ALGORITHM(set_union)
UMSIM_THRUST_ALGORITHM(set_symmetric_difference)
} // namespace thrust

#endif
