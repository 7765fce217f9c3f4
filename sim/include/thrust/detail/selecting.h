/**
 * @file selecting.h
 * @brief Algorithms that keep some of the elements, in order: copy_if, remove_if, unique, partition.
 */
#ifndef UMSIM_THRUST_SELECTING_H
#define UMSIM_THRUST_SELECTING_H

#include "scanning.h"
#include "zip_iterator.h"

namespace thrust
{
namespace detail
{

/* Writes the elements of from[0, n) whose index keeps() to `__to`, which may be `__from`. keeps() reads what
 * `__asked` tells, beside `__from`. @return their number */
template <class _Sp, class _Ip, class _Op, class _Pp, class _Mp>
index select(_Sp __s, _Ip __from, index __n, _Op __to, _Pp __keeps, const _Mp &__asked)
{
    if (__n == 0)
        return 0;
    using _Tp = value_of<_Ip>;
    const index __count = parts(__s, __n);
    temporary<index, _Sp> __places(__s, __count + 1);
    temporary<_Tp, _Sp> __kept(__s, __n);
    index *const __place = __places.get();
    _Tp *const __p = __kept.get();
    begin(/* each part's, where the part begins */
          __s, __count,
          [=](index __part) mutable {
              const index __first = part_begin(__part, __count, __n),
                          __end = part_begin(__part + 1, __count, __n);
              index __o = __first;
              for (index __i = __first; __i < __end; __i++)
                  if (__keeps(__i))
                      __p[__o++] = __from[__i];
              __place[__part + 1] = __o - __first;
          },
          __n, together(reading(__from), __asked));
    begin(
        __s, 1,
        [=](index) {
            __place[0] = 0;
            for (index __part = 0; __part < __count; __part++)
                __place[__part + 1] += __place[__part];
        },
        __count, together(reading(__place), writing(__place)));
    finish(__s);
    const index __all = __places.read(__count);
    begin(
        __s, __count,
        [=](index __part) mutable {
            const index __first = part_begin(__part, __count, __n), __o = __place[__part];
            for (index __i = 0; __o + __i < __place[__part + 1]; __i++)
                __to[__o + __i] = __p[__first + __i];
        },
        __all, together(reading(__p), writing(__to)));
    finish(__s);
    return __all;
}

struct copy_if_op {
    template <class _Sp, class _Ip, class _Op, class _Pp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Pp __predicate)
    {
        return go(__s, __first, __last, __first, __out, __predicate);
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Pp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Op __out, _Pp __predicate)
    {
        auto __asked = raw(__stencil);
        return __out + select(
                           __s, raw(__first), __last - __first, raw(__out),
                           [=](index __i) mutable { return __predicate(__asked[__i]); }, reading(__asked));
    }
};
struct remove_copy_if_op {
    template <class _Sp, class _Ip, class _Op, class _Pp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Pp __predicate)
    {
        return go(__s, __first, __last, __first, __out, __predicate);
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Pp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Op __out, _Pp __predicate)
    {
        auto __asked = raw(__stencil);
        return __out + select(
                           __s, raw(__first), __last - __first, raw(__out),
                           [=](index __i) mutable { return !__predicate(__asked[__i]); }, reading(__asked));
    }
};
struct remove_if_op {
    template <class _Sp, class _Ip, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return remove_copy_if_op::go(__s, __first, __last, __first, __predicate);
    }
    template <class _Sp, class _Ip, class _Jp, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Pp __predicate)
    {
        return remove_copy_if_op::go(__s, __first, __last, __stencil, __first, __predicate);
    }
};
struct remove_op {
    template <class _Sp, class _Ip, class _Tp> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Tp __value)
    {
        return remove_if_op::go(__s, __first, __last,
                                [=](const value_of<_Ip> &__v) { return __v == __value; });
    }
};
struct remove_copy_op {
    template <class _Sp, class _Ip, class _Op, class _Tp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Tp __value)
    {
        return remove_copy_if_op::go(__s, __first, __last, __out,
                                     [=](const value_of<_Ip> &__v) { return __v == __value; });
    }
};
struct unique_copy_op {
    template <class _Sp, class _Ip, class _Op> static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out)
    {
        return go(__s, __first, __last, __out, is_equal());
    }
    template <class _Sp, class _Ip, class _Op, class _Ep>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Ep __same)
    {
        auto __a = raw(__first);
        return __out + select(
                           __s, __a, __last - __first, raw(__out),
                           [=](index __i) mutable { return __i == 0 || !__same(__a[__i - 1], __a[__i]); },
                           [](index) {});
    }
};
struct unique_op {
    template <class _Sp, class _Ip> static _Ip go(_Sp __s, _Ip __first, _Ip __last)
    {
        return unique_copy_op::go(__s, __first, __last, __first);
    }
    template <class _Sp, class _Ip, class _Ep> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Ep __same)
    {
        return unique_copy_op::go(__s, __first, __last, __first, __same);
    }
};
struct unique_count_op {
    template <class _Sp, class _Ip> static index go(_Sp __s, _Ip __first, _Ip __last)
    {
        return go(__s, __first, __last, is_equal());
    }
    template <class _Sp, class _Ip, class _Ep> static index go(_Sp __s, _Ip __first, _Ip __last, _Ep __same)
    {
        auto __a = raw(__first);
        return reduce_all(
            __s, __last - __first,
            [=](index __i) mutable -> index { return __i == 0 || !__same(__a[__i - 1], __a[__i]); }, (index)0,
            add(), reading(__a));
    }
};
struct unique_by_key_copy_op {
    template <class _Sp, class _Kp, class _Vp, class _Ap, class _Bp>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __keys, _Kp __end, _Vp __values, _Ap __keys_out, _Bp __values_out)
    {
        return go(__s, __keys, __end, __values, __keys_out, __values_out, is_equal());
    }
    template <class _Sp, class _Kp, class _Vp, class _Ap, class _Bp, class _Ep>
    static pair<_Ap, _Bp> go(_Sp __s, _Kp __keys, _Kp __end, _Vp __values, _Ap __keys_out, _Bp __values_out,
                             _Ep __same)
    {
        auto __k = raw(__keys);
        const index __n = select(
            __s, make_zip_iterator(__k, raw(__values)), __end - __keys,
            make_zip_iterator(raw(__keys_out), raw(__values_out)),
            [=](index __i) mutable { return __i == 0 || !__same(__k[__i - 1], __k[__i]); }, [](index) {});
        return {__keys_out + __n, __values_out + __n};
    }
};
struct unique_by_key_op {
    template <class _Sp, class _Kp, class _Vp>
    static pair<_Kp, _Vp> go(_Sp __s, _Kp __keys, _Kp __end, _Vp __values)
    {
        return unique_by_key_copy_op::go(__s, __keys, __end, __values, __keys, __values);
    }
    template <class _Sp, class _Kp, class _Vp, class _Ep>
    static pair<_Kp, _Vp> go(_Sp __s, _Kp __keys, _Kp __end, _Vp __values, _Ep __same)
    {
        return unique_by_key_copy_op::go(__s, __keys, __end, __values, __keys, __values, __same);
    }
};
struct partition_copy_op {
    template <class _Sp, class _Ip, class _Ap, class _Bp, class _Pp>
    static pair<_Ap, _Bp> go(_Sp __s, _Ip __first, _Ip __last, _Ap __yes, _Bp __no, _Pp __predicate)
    {
        return go(__s, __first, __last, __first, __yes, __no, __predicate);
    }
    template <class _Sp, class _Ip, class _Jp, class _Ap, class _Bp, class _Pp>
    static pair<_Ap, _Bp> go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Ap __yes, _Bp __no,
                             _Pp __predicate)
    {
        return {copy_if_op::go(__s, __first, __last, __stencil, __yes, __predicate),
                remove_copy_if_op::go(__s, __first, __last, __stencil, __no, __predicate)};
    }
};
struct stable_partition_copy_op : partition_copy_op {
};
struct stable_partition_op {
    template <class _Sp, class _Ip, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return go(__s, __first, __last, __first, __predicate);
    }
    template <class _Sp, class _Ip, class _Jp, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Pp __predicate)
    {
        using _Tp = value_of<_Ip>;
        auto __a = raw(__first);
        temporary<_Tp, _Sp> __others(__s, __last - __first);
        _Tp *const __p = __others.get();
        const index __n = __last - __first;
        const index __no = remove_copy_if_op::go(__s, __a, __a + __n, raw(__stencil), __p, __predicate) - __p;
        copy_if_op::go(__s, __a, __a + __n, raw(__stencil), __a, __predicate);
        const index __yes = __n - __no;
        each(__s, __no, [=](index __i) mutable { __a[__yes + __i] = __p[__i]; });
        return __first + __yes;
    }
};
struct partition_op : stable_partition_op {
};
struct partition_point_op {
    template <class _Sp, class _Ip, class _Pp>
    static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return find_if_not_op::go(__s, __first, __last, __predicate);
    }
};
struct is_partitioned_op {
    template <class _Sp, class _Ip, class _Pp>
    static bool go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate)
    {
        return find_if_op::go(__s, find_if_not_op::go(__s, __first, __last, __predicate), __last,
                              __predicate) == __last;
    }
};
} // namespace detail

UMSIM_THRUST_ALGORITHM(copy_if)
UMSIM_THRUST_ALGORITHM(remove)
UMSIM_THRUST_ALGORITHM(remove_if)
UMSIM_THRUST_ALGORITHM(remove_copy)
UMSIM_THRUST_ALGORITHM(remove_copy_if)
UMSIM_THRUST_ALGORITHM(unique)
UMSIM_THRUST_ALGORITHM(unique_copy)
UMSIM_THRUST_ALGORITHM(unique_count)
UMSIM_THRUST_ALGORITHM(unique_by_key)
UMSIM_THRUST_ALGORITHM(unique_by_key_copy)
UMSIM_THRUST_ALGORITHM(partition)
UMSIM_THRUST_ALGORITHM(partition_copy)
UMSIM_THRUST_ALGORITHM(partition_point)
UMSIM_THRUST_ALGORITHM(stable_partition)
UMSIM_THRUST_ALGORITHM(stable_partition_copy)
UMSIM_THRUST_ALGORITHM(is_partitioned)
} // namespace thrust

#endif
