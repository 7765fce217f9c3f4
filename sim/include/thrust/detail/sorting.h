/**
 * @file sorting.h
 * @brief sort, stable_sort, sort_by_key, and binary searches, merges and operations on sorted sets.
 *
 * Every sort is stable: runs of 32 by insertion, then merges, in which each thread finds by bisection where
 * its share of the result begins in both runs.
 */
#ifndef UMSIM_THRUST_SORTING_H
#define UMSIM_THRUST_SORTING_H

#include "selecting.h"
#include "../iterator/zip_iterator.h"

namespace thrust
{
namespace detail
{

/* The first place in [0, n) of which before() no longer holds. */
template <class P> index bisect(index n, P before)
{
    index low = 0;
    while (n > 0) {
        const index half = n / 2;
        if (before(low + half)) {
            low += half + 1;
            n -= half + 1;
        } else
            n = half;
    }
    return low;
}
template <class I, class T, class C> index lower(I sorted, index n, const T &value, C less)
{
    return bisect(n, [&](index i) { return less(sorted[i], value); });
}
template <class I, class T, class C> index upper(I sorted, index n, const T &value, C less)
{
    return bisect(n, [&](index i) { return !less(value, sorted[i]); });
}

/* Merges a[0, na) and b[0, nb), of which the results [begin, end) are written. Of equals a's come first. */
template <class T, class C>
void merge_share(const T *a, index na, const T *b, index nb, T *out, index begin, index end, C less)
{
    /* How many of the first `begin` are a's: the fewest after which a's next does not belong before b's last
     * one. */
    const index from = begin > nb ? begin - nb : 0, to = begin < na ? begin : na;
    index i = from + bisect(to - from, [&](index k) { return !less(b[begin - 1 - from - k], a[from + k]); });
    index j = begin - i;
    for (index o = begin; o < end; o++)
        if (i < na && (j >= nb || !less(b[j], a[i])))
            out[o] = a[i++];
        else
            out[o] = b[j++];
}

/* @return which of `p` and `q`, both of `n` elements, has p's in order */
template <class T, class S, class C> T *sort_array(S s, T *p, T *q, index n, C less)
{
    constexpr index run = 32, share = 256;
    each(s, (n + run - 1) / run, [=](index r) mutable {
        const index begin = r * run, end = begin + run < n ? begin + run : n;
        for (index i = begin + 1; i < end; i++) {
            T moved = p[i];
            index j = i;
            for (; j > begin && less(moved, p[j - 1]); j--)
                p[j] = p[j - 1];
            p[j] = moved;
        }
    });
    for (index width = run; width < n; width *= 2) {
        const index step = share < 2 * width ? share : 2 * width;
        each(s, (n + step - 1) / step, [=](index t) mutable {
            const index begin = t * step, end = begin + step < n ? begin + step : n;
            const index base = begin / (2 * width) * (2 * width);
            const index rest = n - base, na = rest < width ? rest : width;
            const index nb = rest - na < width ? rest - na : width;
            merge_share(p + base, na, p + base + na, nb, q + base, begin - base, end - base, less);
        });
        T *const sorted = q;
        q = p;
        p = sorted;
    }
    return p;
}

struct stable_sort_op {
    template <class S, class I> static void go(S s, I first, I last)
    {
        go(s, first, last, is_less());
    }
    template <class S, class I, class C> static void go(S s, I first, I last, C less)
    {
        using T = value_of<I>;
        const index n = last - first;
        auto a = raw(first);
        temporary<T, S> one(s, n), two(s, n);
        T *const p = one.get();
        each(s, n, [=](index i) mutable { p[i] = a[i]; });
        const T *const sorted = sort_array(s, p, two.get(), n, less);
        each(s, n, [=](index i) mutable { a[i] = sorted[i]; });
    }
};
struct sort_op : stable_sort_op {
};
struct stable_sort_by_key_op {
    template <class S, class K, class V> static void go(S s, K keys, K end, V values)
    {
        go(s, keys, end, values, is_less());
    }
    template <class S, class K, class V, class C> static void go(S s, K keys, K end, V values, C less)
    {
        using item = std::tuple<value_of<K>, value_of<V>>;
        auto both = make_zip_iterator(raw(keys), raw(values));
        stable_sort_op::go(s, both, both + (end - keys), [=](const item &a, const item &b) mutable {
            return less(std::get<0>(a), std::get<0>(b));
        });
    }
};
struct sort_by_key_op : stable_sort_by_key_op {
};

#define UMSIM_THRUST_SEARCH(name, result, expression)                                                        \
    struct name##_op {                                                                                       \
        template <class S, class I, class T> static auto go(S s, I first, I last, T value)                   \
        {                                                                                                    \
            return go(s, first, last, value, is_less());                                                     \
        }                                                                                                    \
        template <class S, class I, class T, class C> static auto go(S s, I first, I last, T value, C less)  \
        {                                                                                                    \
            auto a = raw(first);                                                                             \
            const index n = last - first;                                                                    \
            temporary<index, S> found(s, 1);                                                                 \
            index *const p = found.get();                                                                    \
            each(s, 1, [=](index) mutable { *p = (index)(expression); });                                    \
            const index place = found.read(0);                                                               \
            return result;                                                                                   \
        }                                                                                                    \
        template <class S, class I, class J, class O>                                                        \
        static O go(S s, I first, I last, J values, J end, O out)                                            \
        {                                                                                                    \
            return go(s, first, last, values, end, out, is_less());                                          \
        }                                                                                                    \
        template <class S, class I, class J, class O, class C>                                               \
        static O go(S s, I first, I last, J values, J end, O out, C less)                                    \
        {                                                                                                    \
            auto a = raw(first);                                                                             \
            auto v = raw(values);                                                                            \
            auto to = raw(out);                                                                              \
            const index n = last - first;                                                                    \
            each(s, end - values, [=](index i) mutable {                                                     \
                const value_of<J> value = v[i];                                                              \
                to[i] = (expression);                                                                        \
            });                                                                                              \
            return out + (end - values);                                                                     \
        }                                                                                                    \
    };
UMSIM_THRUST_SEARCH(lower_bound, first + place, lower(a, n, value, less))
UMSIM_THRUST_SEARCH(upper_bound, first + place, upper(a, n, value, less))
UMSIM_THRUST_SEARCH(binary_search, place != 0, lower(a, n, value, less) != upper(a, n, value, less))
#undef UMSIM_THRUST_SEARCH

struct equal_range_op {
    template <class S, class I, class T> static pair<I, I> go(S s, I first, I last, T value)
    {
        return go(s, first, last, value, is_less());
    }
    template <class S, class I, class T, class C> static pair<I, I> go(S s, I first, I last, T value, C less)
    {
        return {lower_bound_op::go(s, first, last, value, less),
                upper_bound_op::go(s, first, last, value, less)};
    }
};
struct merge_op {
    template <class S, class I, class J, class O> static O go(S s, I first, I last, J other, J end, O out)
    {
        return go(s, first, last, other, end, out, is_less());
    }
    template <class S, class I, class J, class O, class C>
    static O go(S s, I first, I last, J other, J end, O out, C less)
    {
        auto a = raw(first);
        auto b = raw(other);
        auto to = raw(out);
        const index na = last - first, nb = end - other;
        each(s, na, [=](index i) mutable {
            const value_of<I> v = a[i];
            to[i + lower(b, nb, v, less)] = v;
        });
        each(s, nb, [=](index i) mutable {
            const value_of<J> v = b[i];
            to[i + upper(a, na, v, less)] = v;
        });
        return out + (na + nb);
    }
};
struct merge_by_key_op {
    template <class S, class K, class L, class V, class W, class A, class B>
    static pair<A, B> go(S s, K k, K k_end, L l, L l_end, V v, W w, A keys_out, B values_out)
    {
        return go(s, k, k_end, l, l_end, v, w, keys_out, values_out, is_less());
    }
    template <class S, class K, class L, class V, class W, class A, class B, class C>
    static pair<A, B> go(S s, K k, K k_end, L l, L l_end, V v, W w, A keys_out, B values_out, C less)
    {
        using item = std::tuple<value_of<K>, value_of<V>>;
        const index n = (k_end - k) + (l_end - l);
        auto a = make_zip_iterator(raw(k), raw(v));
        auto b = make_zip_iterator(raw(l), raw(w));
        merge_op::go(
            s, a, a + (k_end - k), b, b + (l_end - l), make_zip_iterator(raw(keys_out), raw(values_out)),
            [=](const item &x, const item &y) mutable { return less(std::get<0>(x), std::get<0>(y)); });
        return {keys_out + n, values_out + n};
    }
};

/* Of a[i], whether as many equals come before it in `a` as there are in `b`. */
template <class I, class J, class C> bool exceeds(I a, index na, index i, J b, index nb, C less)
{
    const value_of<I> v = a[i];
    return i - lower(a, na, v, less) >= upper(b, nb, v, less) - lower(b, nb, v, less);
}
/* Those of the first range that do, or that do not, exceed the other's. */
template <bool Beyond> struct select_against_op {
    template <class S, class I, class J, class O> static O go(S s, I first, I last, J other, J end, O out)
    {
        return go(s, first, last, other, end, out, is_less());
    }
    template <class S, class I, class J, class O, class C>
    static O go(S s, I first, I last, J other, J end, O out, C less)
    {
        auto a = raw(first);
        auto b = raw(other);
        const index na = last - first, nb = end - other;
        return out +
               select(s, a, na, raw(out), [=](index i) { return exceeds(a, na, i, b, nb, less) == Beyond; });
    }
};
using set_intersection_op = select_against_op<false>;
using set_difference_op = select_against_op<true>;
struct set_union_op {
    template <class S, class I, class J, class O> static O go(S s, I first, I last, J other, J end, O out)
    {
        return go(s, first, last, other, end, out, is_less());
    }
    template <class S, class I, class J, class O, class C>
    static O go(S s, I first, I last, J other, J end, O out, C less)
    {
        temporary<value_of<J>, S> added(s, end - other);
        value_of<J> *const p = added.get();
        const index n = set_difference_op::go(s, other, end, first, last, p, less) - p;
        return merge_op::go(s, first, last, p, p + n, out, less);
    }
};
struct set_symmetric_difference_op {
    template <class S, class I, class J, class O> static O go(S s, I first, I last, J other, J end, O out)
    {
        return go(s, first, last, other, end, out, is_less());
    }
    template <class S, class I, class J, class O, class C>
    static O go(S s, I first, I last, J other, J end, O out, C less)
    {
        temporary<value_of<I>, S> left(s, last - first);
        temporary<value_of<J>, S> right(s, end - other);
        value_of<I> *const p = left.get();
        value_of<J> *const q = right.get();
        const index n = set_difference_op::go(s, first, last, other, end, p, less) - p;
        const index m = set_difference_op::go(s, other, end, first, last, q, less) - q;
        return merge_op::go(s, p, p + n, q, q + m, out, less);
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
