/**
 * @file constructing.h
 * @brief uninitialized_copy(), uninitialized_fill() and their forms with a count: construct elements in raw
 * memory.
 */
#ifndef UMSIM_THRUST_CONSTRUCTING_H
#define UMSIM_THRUST_CONSTRUCTING_H

#include "transforming.h"

namespace thrust
{
namespace detail
{
struct uninitialized_copy_n_op {
    template <class _Sp, class _Ip, class _Np, class _Op>
    static _Op go(_Sp __s, _Ip __first, _Np __n, _Op __out)
    {
        using _Tp = value_of<_Op>;
        auto __from = raw(__first);
        auto __to = raw(__out);
        each(__s, __n, [=](index __i) mutable { ::new ((void *)&__to[__i]) _Tp(__from[__i]); });
        return __out + __n;
    }
};
struct uninitialized_copy_op {
    template <class _Sp, class _Ip, class _Op> static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out)
    {
        return uninitialized_copy_n_op::go(__s, __first, __last - __first, __out);
    }
};
struct uninitialized_fill_n_op {
    template <class _Sp, class _Ip, class _Np, class _Vp>
    static _Ip go(_Sp __s, _Ip __first, _Np __n, _Vp __value)
    {
        using _Tp = value_of<_Ip>;
        auto __to = raw(__first);
        each(__s, __n, [=](index __i) mutable { ::new ((void *)&__to[__i]) _Tp(__value); });
        return __first + __n;
    }
};
struct uninitialized_fill_op {
    template <class _Sp, class _Ip, class _Vp> static void go(_Sp __s, _Ip __first, _Ip __last, _Vp __value)
    {
        uninitialized_fill_n_op::go(__s, __first, __last - __first, __value);
    }
};
} // namespace detail

UMSIM_THRUST_ALGORITHM(uninitialized_copy)
UMSIM_THRUST_ALGORITHM(uninitialized_copy_n)
UMSIM_THRUST_ALGORITHM(uninitialized_fill)
UMSIM_THRUST_ALGORITHM(uninitialized_fill_n)
} // namespace thrust

#endif
