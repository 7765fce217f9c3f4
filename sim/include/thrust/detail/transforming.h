/**
 * @file transforming.h
 * @brief Algorithms in which every element stands for itself: fill, transform, for_each, gather, and their
 * kin.
 */
#ifndef UMSIM_THRUST_TRANSFORMING_H
#define UMSIM_THRUST_TRANSFORMING_H

#include "copying.h"

#include <utility>

/* The public function `name`, with a policy before its arguments or without. */
#define UMSIM_THRUST_ALGORITHM(name)                                                                         \
    template <class First, class... Rest> auto name(First first, Rest... rest)                               \
    {                                                                                                        \
        return detail::run<detail::name##_op>(first, rest...);                                               \
    }

namespace thrust
{
namespace detail
{

struct fill_n_op {
    template <class S, class I, class N, class T> static I go(S s, I first, N n, T value)
    {
        auto to = raw(first);
        each(s, (index)n, [=](index i) mutable { to[i] = value; });
        return first + n;
    }
};
struct fill_op {
    template <class S, class I, class T> static void go(S s, I first, I last, T value)
    {
        fill_n_op::go(s, first, last - first, value);
    }
};
struct tabulate_op {
    template <class S, class I, class F> static void go(S s, I first, I last, F f)
    {
        auto to = raw(first);
        each(s, last - first, [=](index i) mutable { to[i] = f((value_of<I>)i); });
    }
};
struct sequence_op {
    template <class S, class I> static void go(S s, I first, I last)
    {
        go(s, first, last, value_of<I>(0));
    }
    template <class S, class I, class T> static void go(S s, I first, I last, T init)
    {
        go(s, first, last, init, T(1));
    }
    template <class S, class I, class T> static void go(S s, I first, I last, T init, T step)
    {
        auto to = raw(first);
        each(s, last - first, [=](index i) mutable { to[i] = (value_of<I>)(init + (T)i * step); });
    }
};
struct generate_op {
    template <class S, class I, class F> static void go(S s, I first, I last, F f)
    {
        generate_n(s, first, last - first, f);
    }
    template <class S, class I, class F> static I generate_n(S s, I first, index n, F f)
    {
        auto to = raw(first);
        if constexpr (S::device)
            each(s, n, [=](index i) mutable { to[i] = f(); });
        else
            for (index i = 0; i < n; i++)
                to[i] = f();
        return first + n;
    }
};
struct generate_n_op {
    template <class S, class I, class N, class F> static I go(S s, I first, N n, F f)
    {
        return generate_op::generate_n(s, first, (index)n, f);
    }
};
struct for_each_n_op {
    template <class S, class I, class N, class F> static I go(S s, I first, N n, F f)
    {
        auto from = raw(first);
        each(s, (index)n, [=](index i) mutable {
            auto &&element = from[i];
            f(element);
        });
        return first + n;
    }
};
struct for_each_op {
    template <class S, class I, class F> static I go(S s, I first, I last, F f)
    {
        return for_each_n_op::go(s, first, last - first, f);
    }
};
struct transform_op {
    template <class S, class I, class O, class F> static O go(S s, I first, I last, O out, F f)
    {
        auto from = raw(first);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable { to[i] = f(from[i]); });
        return out + (last - first);
    }
    template <class S, class I, class J, class O, class F>
    static O go(S s, I first, I last, J second, O out, F f)
    {
        auto a = raw(first);
        auto b = raw(second);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable { to[i] = f(a[i], b[i]); });
        return out + (last - first);
    }
};
struct transform_if_op {
    template <class S, class I, class O, class F, class P>
    static O go(S s, I first, I last, O out, F f, P predicate)
    {
        return go(s, first, last, first, out, f, predicate);
    }
    template <class S, class I, class J, class O, class F, class P>
    static O go(S s, I first, I last, J stencil, O out, F f, P predicate)
    {
        auto from = raw(first);
        auto asked = raw(stencil);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable {
            if (predicate(asked[i]))
                to[i] = f(from[i]);
        });
        return out + (last - first);
    }
};
struct replace_if_op {
    template <class S, class I, class P, class T> static void go(S s, I first, I last, P predicate, T value)
    {
        go(s, first, last, first, predicate, value);
    }
    template <class S, class I, class J, class P, class T>
    static void go(S s, I first, I last, J stencil, P predicate, T value)
    {
        auto to = raw(first);
        auto asked = raw(stencil);
        each(s, last - first, [=](index i) mutable {
            if (predicate(asked[i]))
                to[i] = value;
        });
    }
};
struct replace_op {
    template <class S, class I, class T> static void go(S s, I first, I last, T old, T value)
    {
        replace_if_op::go(
            s, first, last, [=](const value_of<I> &v) { return v == old; }, value);
    }
};
struct replace_copy_if_op {
    template <class S, class I, class O, class P, class T>
    static O go(S s, I first, I last, O out, P predicate, T value)
    {
        return transform_op::go(s, first, last, out, [=](const value_of<I> &v) -> value_of<O> {
            return predicate(v) ? value_of<O>(value) : value_of<O>(v);
        });
    }
};
struct replace_copy_op {
    template <class S, class I, class O, class T> static O go(S s, I first, I last, O out, T old, T value)
    {
        return replace_copy_if_op::go(
            s, first, last, out, [=](const value_of<I> &v) { return v == old; }, value);
    }
};
struct gather_op {
    template <class S, class M, class I, class O> static O go(S s, M first, M last, I in, O out)
    {
        auto map = raw(first);
        auto from = raw(in);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable { to[i] = from[map[i]]; });
        return out + (last - first);
    }
};
struct scatter_op {
    template <class S, class I, class M, class O> static void go(S s, I first, I last, M places, O out)
    {
        auto from = raw(first);
        auto map = raw(places);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable { to[map[i]] = from[i]; });
    }
};
struct scatter_if_op {
    template <class S, class I, class M, class J, class O>
    static void go(S s, I first, I last, M places, J stencil, O out)
    {
        go(s, first, last, places, stencil, out, [](const value_of<J> &v) { return (bool)v; });
    }
    template <class S, class I, class M, class J, class O, class P>
    static void go(S s, I first, I last, M places, J stencil, O out, P predicate)
    {
        auto from = raw(first);
        auto map = raw(places);
        auto asked = raw(stencil);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable {
            if (predicate(asked[i]))
                to[map[i]] = from[i];
        });
    }
};
struct gather_if_op {
    template <class S, class M, class J, class I, class O>
    static O go(S s, M first, M last, J stencil, I in, O out)
    {
        return go(s, first, last, stencil, in, out, [](const value_of<J> &v) { return (bool)v; });
    }
    template <class S, class M, class J, class I, class O, class P>
    static O go(S s, M first, M last, J stencil, I in, O out, P predicate)
    {
        auto map = raw(first);
        auto asked = raw(stencil);
        auto from = raw(in);
        auto to = raw(out);
        each(s, last - first, [=](index i) mutable {
            if (predicate(asked[i]))
                to[i] = from[map[i]];
        });
        return out + (last - first);
    }
};
template <class I> void exchange(I a, index i, I b, index j)
{
    value_of<I> old = a[i];
    a[i] = (value_of<I>)b[j];
    b[j] = old;
}
struct swap_ranges_op {
    template <class S, class I, class J> static J go(S s, I first, I last, J second)
    {
        auto a = raw(first);
        auto b = raw(second);
        each(s, last - first, [=](index i) mutable {
            value_of<I> old = a[i];
            a[i] = (value_of<I>)b[i];
            b[i] = old;
        });
        return second + (last - first);
    }
};
struct reverse_op {
    template <class S, class I> static void go(S s, I first, I last)
    {
        auto a = raw(first);
        const index n = last - first;
        each(s, n / 2, [=](index i) mutable { exchange(a, i, a, n - 1 - i); });
    }
};
struct reverse_copy_op {
    template <class S, class I, class O> static O go(S s, I first, I last, O out)
    {
        auto from = raw(first);
        auto to = raw(out);
        const index n = last - first;
        each(s, n, [=](index i) mutable { to[i] = from[n - 1 - i]; });
        return out + n;
    }
};
struct adjacent_difference_op {
    template <class S, class I, class O> static O go(S s, I first, I last, O out)
    {
        return go(s, first, last, out, [](const auto &a, const auto &b) { return a - b; });
    }
    template <class S, class I, class O, class F> static O go(S s, I first, I last, O out, F f)
    {
        const index n = last - first;
        auto from = raw(first);
        auto to = raw(out);
        temporary<value_of<I>, S> kept(s, n); /* `out` may be `first` */
        auto *const p = kept.get();
        each(s, n, [=](index i) { p[i] = from[i]; });
        each(s, n, [=](index i) mutable {
            if (i == 0)
                to[i] = p[i];
            else
                to[i] = f(p[i], p[i - 1]);
        });
        return out + n;
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
