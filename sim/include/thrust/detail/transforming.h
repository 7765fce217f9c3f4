/**
 * @file transforming.h
 * @brief Algorithms that treat every element separately: fill, transform, for_each, gather, and related
 * functions.
 */
#ifndef UMSIM_THRUST_TRANSFORMING_H
#define UMSIM_THRUST_TRANSFORMING_H

#include "copying.h"

#include <utility>

/* The public function `name`, with or without a policy before its arguments. */
#define UMSIM_THRUST_ALGORITHM(name)                                                                         \
    template <class _First, class... _Rest> auto name(_First __first, _Rest... __rest)                       \
    {                                                                                                        \
        return detail::run<detail::name##_op>(__first, __rest...);                                           \
    }

namespace thrust
{
namespace detail
{

struct fill_n_op {
    template <class _Sp, class _Ip, class _Np, class _Tp>
    static _Ip go(_Sp __s, _Ip __first, _Np __n, _Tp __value)
    {
        auto __to = raw(__first);
        each(__s, (index)__n, [=](index __i) mutable { __to[__i] = __value; });
        return __first + __n;
    }
};
struct fill_op {
    template <class _Sp, class _Ip, class _Tp> static void go(_Sp __s, _Ip __first, _Ip __last, _Tp __value)
    {
        fill_n_op::go(__s, __first, __last - __first, __value);
    }
};
struct tabulate_op {
    template <class _Sp, class _Ip, class _Fp> static void go(_Sp __s, _Ip __first, _Ip __last, _Fp __f)
    {
        auto __to = raw(__first);
        each(__s, __last - __first, [=](index __i) mutable { __to[__i] = __f((value_of<_Ip>)__i); });
    }
};
struct sequence_op {
    template <class _Sp, class _Ip> static void go(_Sp __s, _Ip __first, _Ip __last)
    {
        go(__s, __first, __last, value_of<_Ip>(0));
    }
    template <class _Sp, class _Ip, class _Tp> static void go(_Sp __s, _Ip __first, _Ip __last, _Tp __init)
    {
        go(__s, __first, __last, __init, _Tp(1));
    }
    template <class _Sp, class _Ip, class _Tp>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Tp __init, _Tp __step)
    {
        auto __to = raw(__first);
        each(__s, __last - __first,
             [=](index __i) mutable { __to[__i] = (value_of<_Ip>)(__init + (_Tp)__i * __step); });
    }
};
struct generate_op {
    template <class _Sp, class _Ip, class _Fp> static void go(_Sp __s, _Ip __first, _Ip __last, _Fp __f)
    {
        generate_n(__s, __first, __last - __first, __f);
    }
    template <class _Sp, class _Ip, class _Fp> static _Ip generate_n(_Sp __s, _Ip __first, index __n, _Fp __f)
    {
        auto __to = raw(__first);
        if constexpr (_Sp::device)
            each(__s, __n, [=](index __i) mutable { __to[__i] = __f(); });
        else
            for (index __i = 0; __i < __n; __i++)
                __to[__i] = __f();
        return __first + __n;
    }
};
struct generate_n_op {
    template <class _Sp, class _Ip, class _Np, class _Fp>
    static _Ip go(_Sp __s, _Ip __first, _Np __n, _Fp __f)
    {
        return generate_op::generate_n(__s, __first, (index)__n, __f);
    }
};
struct for_each_n_op {
    template <class _Sp, class _Ip, class _Np, class _Fp>
    static _Ip go(_Sp __s, _Ip __first, _Np __n, _Fp __f)
    {
        auto __from = raw(__first);
        each(__s, (index)__n, [=](index __i) mutable {
            auto &&__element = __from[__i];
            __f(__element);
        });
        return __first + __n;
    }
};
struct for_each_op {
    template <class _Sp, class _Ip, class _Fp> static _Ip go(_Sp __s, _Ip __first, _Ip __last, _Fp __f)
    {
        return for_each_n_op::go(__s, __first, __last - __first, __f);
    }
};
struct transform_op {
    template <class _Sp, class _Ip, class _Op, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Fp __f)
    {
        auto __from = raw(__first);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable { __to[__i] = __f(__from[__i]); });
        return __out + (__last - __first);
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __second, _Op __out, _Fp __f)
    {
        auto __a = raw(__first);
        auto __b = raw(__second);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable { __to[__i] = __f(__a[__i], __b[__i]); });
        return __out + (__last - __first);
    }
};
struct transform_if_op {
    template <class _Sp, class _Ip, class _Op, class _Fp, class _Pp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Fp __f, _Pp __predicate)
    {
        return go(__s, __first, __last, __first, __out, __f, __predicate);
    }
    template <class _Sp, class _Ip, class _Jp, class _Op, class _Fp, class _Pp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Op __out, _Fp __f, _Pp __predicate)
    {
        auto __from = raw(__first);
        auto __asked = raw(__stencil);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable {
            if (__predicate(__asked[__i]))
                __to[__i] = __f(__from[__i]);
        });
        return __out + (__last - __first);
    }
};
struct replace_if_op {
    template <class _Sp, class _Ip, class _Pp, class _Tp>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Pp __predicate, _Tp __value)
    {
        go(__s, __first, __last, __first, __predicate, __value);
    }
    template <class _Sp, class _Ip, class _Jp, class _Pp, class _Tp>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Jp __stencil, _Pp __predicate, _Tp __value)
    {
        auto __to = raw(__first);
        auto __asked = raw(__stencil);
        each(__s, __last - __first, [=](index __i) mutable {
            if (__predicate(__asked[__i]))
                __to[__i] = __value;
        });
    }
};
struct replace_op {
    template <class _Sp, class _Ip, class _Tp>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Tp __old, _Tp __value)
    {
        replace_if_op::go(
            __s, __first, __last, [=](const value_of<_Ip> &__v) { return __v == __old; }, __value);
    }
};
struct replace_copy_if_op {
    template <class _Sp, class _Ip, class _Op, class _Pp, class _Tp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Pp __predicate, _Tp __value)
    {
        return transform_op::go(__s, __first, __last, __out, [=](const value_of<_Ip> &__v) -> value_of<_Op> {
            return __predicate(__v) ? value_of<_Op>(__value) : value_of<_Op>(__v);
        });
    }
};
struct replace_copy_op {
    template <class _Sp, class _Ip, class _Op, class _Tp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Tp __old, _Tp __value)
    {
        return replace_copy_if_op::go(
            __s, __first, __last, __out, [=](const value_of<_Ip> &__v) { return __v == __old; }, __value);
    }
};
struct gather_op {
    template <class _Sp, class _Mp, class _Ip, class _Op>
    static _Op go(_Sp __s, _Mp __first, _Mp __last, _Ip __in, _Op __out)
    {
        auto __map = raw(__first);
        auto __from = raw(__in);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable { __to[__i] = __from[__map[__i]]; });
        return __out + (__last - __first);
    }
};
struct scatter_op {
    template <class _Sp, class _Ip, class _Mp, class _Op>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Mp __places, _Op __out)
    {
        auto __from = raw(__first);
        auto __map = raw(__places);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable { __to[__map[__i]] = __from[__i]; });
    }
};
struct scatter_if_op {
    template <class _Sp, class _Ip, class _Mp, class _Jp, class _Op>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Mp __places, _Jp __stencil, _Op __out)
    {
        go(__s, __first, __last, __places, __stencil, __out,
           [](const value_of<_Jp> &__v) { return (bool)__v; });
    }
    template <class _Sp, class _Ip, class _Mp, class _Jp, class _Op, class _Pp>
    static void go(_Sp __s, _Ip __first, _Ip __last, _Mp __places, _Jp __stencil, _Op __out, _Pp __predicate)
    {
        auto __from = raw(__first);
        auto __map = raw(__places);
        auto __asked = raw(__stencil);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable {
            if (__predicate(__asked[__i]))
                __to[__map[__i]] = __from[__i];
        });
    }
};
struct gather_if_op {
    template <class _Sp, class _Mp, class _Jp, class _Ip, class _Op>
    static _Op go(_Sp __s, _Mp __first, _Mp __last, _Jp __stencil, _Ip __in, _Op __out)
    {
        return go(__s, __first, __last, __stencil, __in, __out,
                  [](const value_of<_Jp> &__v) { return (bool)__v; });
    }
    template <class _Sp, class _Mp, class _Jp, class _Ip, class _Op, class _Pp>
    static _Op go(_Sp __s, _Mp __first, _Mp __last, _Jp __stencil, _Ip __in, _Op __out, _Pp __predicate)
    {
        auto __map = raw(__first);
        auto __asked = raw(__stencil);
        auto __from = raw(__in);
        auto __to = raw(__out);
        each(__s, __last - __first, [=](index __i) mutable {
            if (__predicate(__asked[__i]))
                __to[__i] = __from[__map[__i]];
        });
        return __out + (__last - __first);
    }
};
template <class _Ip> void exchange(_Ip __a, index __i, _Ip __b, index __j)
{
    value_of<_Ip> __old = __a[__i];
    __a[__i] = (value_of<_Ip>)__b[__j];
    __b[__j] = __old;
}
struct swap_ranges_op {
    template <class _Sp, class _Ip, class _Jp> static _Jp go(_Sp __s, _Ip __first, _Ip __last, _Jp __second)
    {
        auto __a = raw(__first);
        auto __b = raw(__second);
        each(__s, __last - __first, [=](index __i) mutable {
            value_of<_Ip> __old = __a[__i];
            __a[__i] = (value_of<_Ip>)__b[__i];
            __b[__i] = __old;
        });
        return __second + (__last - __first);
    }
};
struct reverse_op {
    template <class _Sp, class _Ip> static void go(_Sp __s, _Ip __first, _Ip __last)
    {
        auto __a = raw(__first);
        const index __n = __last - __first;
        each(__s, __n / 2, [=](index __i) mutable { exchange(__a, __i, __a, __n - 1 - __i); });
    }
};
struct reverse_copy_op {
    template <class _Sp, class _Ip, class _Op> static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out)
    {
        auto __from = raw(__first);
        auto __to = raw(__out);
        const index __n = __last - __first;
        each(__s, __n, [=](index __i) mutable { __to[__i] = __from[__n - 1 - __i]; });
        return __out + __n;
    }
};
struct adjacent_difference_op {
    template <class _Sp, class _Ip, class _Op> static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out)
    {
        return go(__s, __first, __last, __out, [](const auto &__a, const auto &__b) { return __a - __b; });
    }
    template <class _Sp, class _Ip, class _Op, class _Fp>
    static _Op go(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Fp __f)
    {
        const index __n = __last - __first;
        auto __from = raw(__first);
        auto __to = raw(__out);
        temporary<value_of<_Ip>, _Sp> __kept(__s, __n); /* `__out` may be `__first` */
        auto *const __p = __kept.get();
        each(__s, __n, [=](index __i) { __p[__i] = __from[__i]; });
        each(__s, __n, [=](index __i) mutable {
            if (__i == 0)
                __to[__i] = __p[__i];
            else
                __to[__i] = __f(__p[__i], __p[__i - 1]);
        });
        return __out + __n;
    }
};
} // namespace detail

UMSIM_THRUST_ALGORITHM(fill)
UMSIM_THRUST_ALGORITHM(fill_n)
UMSIM_THRUST_ALGORITHM(tabulate)
UMSIM_THRUST_ALGORITHM(sequence)
UMSIM_THRUST_ALGORITHM(generate)
UMSIM_THRUST_ALGORITHM(generate_n)
UMSIM_THRUST_ALGORITHM(for_each)
UMSIM_THRUST_ALGORITHM(for_each_n)
UMSIM_THRUST_ALGORITHM(transform)
UMSIM_THRUST_ALGORITHM(transform_if)
UMSIM_THRUST_ALGORITHM(replace)
UMSIM_THRUST_ALGORITHM(replace_if)
UMSIM_THRUST_ALGORITHM(replace_copy)
UMSIM_THRUST_ALGORITHM(replace_copy_if)
UMSIM_THRUST_ALGORITHM(gather)
UMSIM_THRUST_ALGORITHM(gather_if)
UMSIM_THRUST_ALGORITHM(scatter)
UMSIM_THRUST_ALGORITHM(scatter_if)
UMSIM_THRUST_ALGORITHM(swap_ranges)
UMSIM_THRUST_ALGORITHM(reverse)
UMSIM_THRUST_ALGORITHM(reverse_copy)
UMSIM_THRUST_ALGORITHM(adjacent_difference)
} // namespace thrust

#endif
