/**
 * @file scanning.h
 * @brief Prefix sums: inclusive_scan, exclusive_scan, with transformations and by key.
 *
 * There are three kernels: one computes each part's sum, one (a single thread) the sums before each part,
 * one each part's elements. `out` may be `first`.
 */
#ifndef UMSIM_THRUST_SCANNING_H
#define UMSIM_THRUST_SCANNING_H

#include "reducing.h"

namespace thrust
{
namespace detail
{

/* Calls put(i, op(get(0), ... get(i))), whose result has type T. What get() reads and put() writes tell
 * `__read` and `__written`. */
template <class _Tp, class _Sp, class _Gp, class _Pp, class _Fp, class _Rp, class _Wp>
void scan_all(_Sp __s, index __n, _Gp __get, _Pp __put, _Fp __op, const _Rp &__read, const _Wp &__written)
{
    const index __count = parts(__s, __n);
    temporary<_Tp, _Sp> __sums(__s, __count);
    _Tp *const __p = __sums.get();
    if (__count > 1) {
        begin_part_sums(__s, __n, __count, __p, __get, __op, __read);
        begin(
            __s, 1,
            [=](index) mutable {
                for (index __i = 1; __i < __count; __i++)
                    __p[__i] = __op(__p[__i - 1], __p[__i]);
            },
            __count, together(reading(__p), writing(__p)));
    }
    begin(
        __s, __count,
        [=](index __part) mutable {
            const index __end = part_begin(__part + 1, __count, __n);
            index __i = part_begin(__part, __count, __n);
            _Tp __sum = __part == 0 ? (_Tp)__get(__i) : (_Tp)__op(__p[__part - 1], __get(__i));
            __put(__i, __sum);
            while (++__i < __end) {
                __sum = __op(__sum, __get(__i));
                __put(__i, __sum);
            }
        },
        __n, together(__read, __written));
    finish(__s);
}

/* The same, but put(i, op(init, get(0), ... get(i - 1))). */
template <class _Tp, class _Sp, class _Gp, class _Pp, class _Fp, class _Rp, class _Wp>
void scan_before(_Sp __s, index __n, _Gp __get, _Pp __put, _Tp __init, _Fp __op, const _Rp &__read,
                 const _Wp &__written)
{
    const index __count = parts(__s, __n);
    temporary<_Tp, _Sp> __sums(__s, __count);
    _Tp *const __p = __sums.get();
    if (__count > 1) {
        begin_part_sums(__s, __n, __count, __p, __get, __op, __read);
        begin(
            __s, 1,
            [=](index) mutable {
                _Tp __sum = __init;
                for (index __i = 0; __i < __count - 1; __i++)
                    __p[__i] = __sum = __op(__sum, __p[__i]);
            },
            __count, together(reading(__p), writing(__p)));
    }
    begin(
        __s, __count,
        [=](index __part) mutable {
            const index __end = part_begin(__part + 1, __count, __n);
            _Tp __sum = __part == 0 ? __init : __p[__part - 1];
            for (index __i = part_begin(__part, __count, __n); __i < __end; __i++) {
                const _Tp __next = __op(__sum, __get(__i)); /* before it is written: `out` may be the input */
                __put(__i, __sum);
                __sum = __next;
            }
        },
        __n, together(__read, __written));
    finish(__s);
}

struct inclusive_scan_op {
    template <class _Sp, class _Ip, class _Op> static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out)
    {
        return go(__s, __first, __last, __out, add());
    }
    template <class _Sp, class _Ip, class _Op, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Fp __op)
    {
        using _Tp = value_of<_Ip>;
        auto __from = raw(__first);
        auto __to = raw(__out);
        scan_all<_Tp>(
            __s, __last - __first, [=](index __i) mutable -> _Tp { return __from[__i]; },
            [=](index __i, const _Tp &__v) mutable { __to[__i] = __v; }, __op, reading(__from),
            writing(__to));
        return __out + (__last - __first);
    }
    template <class _Sp, class _Ip, class _Op, class _Tp, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Tp __init, _Fp __op)
    {
        auto __from = raw(__first);
        auto __to = raw(__out);
        scan_all<_Tp>(
            __s, __last - __first,
            [=](index __i) mutable -> _Tp {
                return __i == 0 ? (_Tp)__op(__init, __from[__i]) : (_Tp)__from[__i];
            },
            [=](index __i, const _Tp &__v) mutable { __to[__i] = __v; }, __op, reading(__from),
            writing(__to));
        return __out + (__last - __first);
    }
};
struct transform_inclusive_scan_op {
    template <class _Sp, class _Ip, class _Op, class _Up, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Up __unary, _Fp __op)
    {
        auto __from = raw(__first);
        auto __to = raw(__out);
        using _Tp = std::decay_t<decltype(__unary(__from[0]))>;
        scan_all<_Tp>(
            __s, __last - __first, [=](index __i) mutable -> _Tp { return __unary(__from[__i]); },
            [=](index __i, const _Tp &__v) mutable { __to[__i] = __v; }, __op, reading(__from),
            writing(__to));
        return __out + (__last - __first);
    }
};
struct transform_exclusive_scan_op {
    template <class _Sp, class _Ip, class _Op, class _Up, class _Tp, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Up __unary, _Tp __init, _Fp __op)
    {
        auto __from = raw(__first);
        auto __to = raw(__out);
        scan_before<_Tp>(
            __s, __last - __first, [=](index __i) mutable -> _Tp { return __unary(__from[__i]); },
            [=](index __i, const _Tp &__v) mutable { __to[__i] = __v; }, __init, __op, reading(__from),
            writing(__to));
        return __out + (__last - __first);
    }
};
struct exclusive_scan_op {
    template <class _Sp, class _Ip, class _Op> static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out)
    {
        return go(__s, __first, __last, __out, value_of<_Ip>());
    }
    template <class _Sp, class _Ip, class _Op, class _Tp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Tp __init)
    {
        return go(__s, __first, __last, __out, __init, add());
    }
    template <class _Sp, class _Ip, class _Op, class _Tp, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Tp __init, _Fp __op)
    {
        return transform_exclusive_scan_op::go(
            __s, __first, __last, __out, [](const _Tp &__v) { return __v; }, __init, __op);
    }
};

/* A value, and whether a group begins at it or before it: scans by key combine these. */
template <class _Tp> struct in_group {
    _Tp value;
    bool begins;
};
template <class _Tp, class _Fp> auto within_groups(_Fp __op)
{
    return [=](const in_group<_Tp> &__a, const in_group<_Tp> &__b) mutable -> in_group<_Tp> {
        return __b.begins ? in_group<_Tp>{__b.value, true}
                          : in_group<_Tp>{(_Tp)__op(__a.value, __b.value), __a.begins};
    };
}
struct inclusive_scan_by_key_op {
    template <class _Sp, class _Kp, class _Ip, class _Op>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out)
    {
        return go(__s, __keys, __end, __values, __out, is_equal());
    }
    template <class _Sp, class _Kp, class _Ip, class _Op, class _Ep>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out, _Ep __same)
    {
        return go(__s, __keys, __end, __values, __out, __same, add());
    }
    template <class _Sp, class _Kp, class _Ip, class _Op, class _Ep, class _Fp>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out, _Ep __same, _Fp __op)
    {
        using _Tp = value_of<_Ip>;
        auto __k = raw(__keys);
        auto __v = raw(__values);
        auto __to = raw(__out);
        scan_all<in_group<_Tp>>(
            __s, __end - __keys,
            [=](index __i) mutable {
                return in_group<_Tp>{__v[__i], __i == 0 || !__same(__k[__i - 1], __k[__i])};
            },
            [=](index __i, const in_group<_Tp> &__g) mutable { __to[__i] = __g.value; },
            within_groups<_Tp>(__op), reading(__k, __v), writing(__to));
        return __out + (__end - __keys);
    }
};
struct exclusive_scan_by_key_op {
    template <class _Sp, class _Kp, class _Ip, class _Op>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out)
    {
        return go(__s, __keys, __end, __values, __out, value_of<_Ip>());
    }
    template <class _Sp, class _Kp, class _Ip, class _Op, class _Tp>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out, _Tp __init)
    {
        return go(__s, __keys, __end, __values, __out, __init, is_equal());
    }
    template <class _Sp, class _Kp, class _Ip, class _Op, class _Tp, class _Ep>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out, _Tp __init, _Ep __same)
    {
        return go(__s, __keys, __end, __values, __out, __init, __same, add());
    }
    template <class _Sp, class _Kp, class _Ip, class _Op, class _Tp, class _Ep, class _Fp>
    static _Op go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Op __out, _Tp __init, _Ep __same, _Fp __op)
    {
        const index __n = __end - __keys;
        auto __k = raw(__keys);
        auto __v = raw(__values);
        auto __to = raw(__out);
        temporary<in_group<_Tp>, _Sp> __kept(__s, __n); /* `__out` may overlap the values */
        in_group<_Tp> *const __p = __kept.get();
        each(__s, __n, [=](index __i) mutable {
            const bool __begins = __i == 0 || !__same(__k[__i - 1], __k[__i]);
            __p[__i] = in_group<_Tp>{__begins ? __init : (_Tp)__v[__i - 1], __begins};
        });
        scan_all<in_group<_Tp>>(
            __s, __n, [=](index __i) { return __p[__i]; },
            [=](index __i, const in_group<_Tp> &__g) mutable { __to[__i] = __g.value; },
            within_groups<_Tp>(__op), reading(__p), writing(__to));
        return __out + __n;
    }
};
struct reduce_by_key_op {
    template <class _Sp, class _Kp, class _Ip, class _Ap, class _Bp>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Ap __keys_out, _Bp __values_out)
    {
        return go(__s, __keys, __end, __values, __keys_out, __values_out, is_equal());
    }
    template <class _Sp, class _Kp, class _Ip, class _Ap, class _Bp, class _Ep>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Ap __keys_out, _Bp __values_out,
                             _Ep __same)
    {
        return go(__s, __keys, __end, __values, __keys_out, __values_out, __same, add());
    }
    template <class _Sp, class _Kp, class _Ip, class _Ap, class _Bp, class _Ep, class _Fp>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __keys, _Kp __end, _Ip __values, _Ap __keys_out, _Bp __values_out,
                             _Ep __same, _Fp __op)
    {
        using _Tp = value_of<_Ip>;
        const index __n = __end - __keys;
        auto __k = raw(__keys);
        auto __v = raw(__values);
        auto __to_keys = raw(__keys_out);
        auto __to_values = raw(__values_out);
        if (__n == 0)
            return {__keys_out, __values_out};
        temporary<in_group<_Tp>, _Sp> __sums(__s, __n);
        temporary<index, _Sp> __groups(__s, __n);
        in_group<_Tp> *const __sum = __sums.get();
        index *const __group = __groups.get();
        const auto __begins = [=](index __i) { return __i == 0 || !__same(__k[__i - 1], __k[__i]); };
        scan_all<index>(
            __s, __n, [=](index __i) mutable { return (index)__begins(__i); },
            [=](index __i, index __g) { __group[__i] = __g - 1; }, add(), reading(__k), writing(__group));
        scan_all<in_group<_Tp>>(
            __s, __n,
            [=](index __i) mutable {
                return in_group<_Tp>{__v[__i], __begins(__i)};
            },
            [=](index __i, const in_group<_Tp> &__g) { __sum[__i] = __g; }, within_groups<_Tp>(__op),
            reading(__k, __v), writing(__sum));
        each(__s, __n, [=](index __i) mutable {
            if (__i == 0 || __group[__i - 1] != __group[__i])
                __to_keys[__group[__i]] = __k[__i];
            if (__i == __n - 1 || __group[__i + 1] != __group[__i])
                __to_values[__group[__i]] = __sum[__i].value;
        });
        const index __count = __groups.read(__n - 1) + 1;
        return {__keys_out + __count, __values_out + __count};
    }
};
} // namespace detail

UMSIM_THRUST_ALGORITHM(inclusive_scan)
UMSIM_THRUST_ALGORITHM(exclusive_scan)
UMSIM_THRUST_ALGORITHM(transform_inclusive_scan)
UMSIM_THRUST_ALGORITHM(transform_exclusive_scan)
UMSIM_THRUST_ALGORITHM(inclusive_scan_by_key)
UMSIM_THRUST_ALGORITHM(exclusive_scan_by_key)
UMSIM_THRUST_ALGORITHM(reduce_by_key)
} // namespace thrust

#endif
