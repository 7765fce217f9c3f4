/**
 * @file scanning.h
 * @brief Prefix sums: inclusive_scan, exclusive_scan, with transformations and by key.
 *
 * Three kernels: each part's sum, the sums before each part (one thread), each part's elements. `out` may be
 * `first`.
 */
#ifndef UMSIM_THRUST_SCANNING_H
#define UMSIM_THRUST_SCANNING_H

#include "reducing.h"

namespace thrust
{
namespace detail
{

/* Calls put(i, op(get(0), ... get(i))), of type T. */
template <class T, class S, class G, class P, class F> void scan_all(S s, index n, G get, P put, F op)
{
    const index count = parts(s, n);
    temporary<T, S> sums(s, count);
    T *const p = sums.get();
    if (count > 1) {
        each(s, count, [=](index part) mutable {
            const index end = part_begin(part + 1, count, n);
            index i = part_begin(part, count, n);
            T sum = get(i);
            while (++i < end)
                sum = op(sum, get(i));
            p[part] = sum;
        });
        each(s, 1, [=](index) mutable {
            for (index i = 1; i < count; i++)
                p[i] = op(p[i - 1], p[i]);
        });
    }
    each(s, count, [=](index part) mutable {
        const index end = part_begin(part + 1, count, n);
        index i = part_begin(part, count, n);
        T sum = part == 0 ? (T)get(i) : (T)op(p[part - 1], get(i));
        put(i, sum);
        while (++i < end) {
            sum = op(sum, get(i));
            put(i, sum);
        }
    });
}

/* The same, but put(i, op(init, get(0), ... get(i - 1))). Inputs are kept first: `out` may lie over them. */
template <class T, class S, class G, class P, class F>
void scan_before(S s, index n, G get, P put, T init, F op)
{
    temporary<T, S> kept(s, n);
    T *const p = kept.get();
    each(s, n, [=](index i) mutable { p[i] = i == 0 ? init : (T)get(i - 1); });
    scan_all<T>(
        s, n, [=](index i) -> T { return p[i]; }, put, op);
}

struct inclusive_scan_op {
    template <class S, class I, class O> static O go(S s, I first, I last, O out)
    {
        return go(s, first, last, out, add());
    }
    template <class S, class I, class O, class F> static O go(S s, I first, I last, O out, F op)
    {
        using T = value_of<I>;
        auto from = raw(first);
        auto to = raw(out);
        scan_all<T>(
            s, last - first, [=](index i) mutable -> T { return from[i]; },
            [=](index i, const T &v) mutable { to[i] = v; }, op);
        return out + (last - first);
    }
    template <class S, class I, class O, class T, class F>
    static O go(S s, I first, I last, O out, T init, F op)
    {
        auto from = raw(first);
        auto to = raw(out);
        scan_all<T>(
            s, last - first, [=](index i) mutable -> T { return i == 0 ? (T)op(init, from[i]) : (T)from[i]; },
            [=](index i, const T &v) mutable { to[i] = v; }, op);
        return out + (last - first);
    }
};
struct transform_inclusive_scan_op {
    template <class S, class I, class O, class U, class F>
    static O go(S s, I first, I last, O out, U unary, F op)
    {
        auto from = raw(first);
        auto to = raw(out);
        using T = std::decay_t<decltype(unary(from[0]))>;
        scan_all<T>(
            s, last - first, [=](index i) mutable -> T { return unary(from[i]); },
            [=](index i, const T &v) mutable { to[i] = v; }, op);
        return out + (last - first);
    }
};
struct transform_exclusive_scan_op {
    template <class S, class I, class O, class U, class T, class F>
    static O go(S s, I first, I last, O out, U unary, T init, F op)
    {
        auto from = raw(first);
        auto to = raw(out);
        scan_before<T>(
            s, last - first, [=](index i) mutable -> T { return unary(from[i]); },
            [=](index i, const T &v) mutable { to[i] = v; }, init, op);
        return out + (last - first);
    }
};
struct exclusive_scan_op {
    template <class S, class I, class O> static O go(S s, I first, I last, O out)
    {
        return go(s, first, last, out, value_of<I>());
    }
    template <class S, class I, class O, class T> static O go(S s, I first, I last, O out, T init)
    {
        return go(s, first, last, out, init, add());
    }
    template <class S, class I, class O, class T, class F>
    static O go(S s, I first, I last, O out, T init, F op)
    {
        return transform_exclusive_scan_op::go(
            s, first, last, out, [](const T &v) { return v; }, init, op);
    }
};

/* A value, and whether a group begins at it or before it: what scans by key add up. */
template <class T> struct in_group {
    T value;
    bool begins;
};
template <class T, class F> auto within_groups(F op)
{
    return [=](const in_group<T> &a, const in_group<T> &b) mutable -> in_group<T> {
        return b.begins ? in_group<T>{b.value, true} : in_group<T>{(T)op(a.value, b.value), a.begins};
    };
}
struct inclusive_scan_by_key_op {
    template <class S, class K, class I, class O> static O go(S s, K keys, K end, I values, O out)
    {
        return go(s, keys, end, values, out, is_equal());
    }
    template <class S, class K, class I, class O, class E>
    static O go(S s, K keys, K end, I values, O out, E same)
    {
        return go(s, keys, end, values, out, same, add());
    }
    template <class S, class K, class I, class O, class E, class F>
    static O go(S s, K keys, K end, I values, O out, E same, F op)
    {
        using T = value_of<I>;
        auto k = raw(keys);
        auto v = raw(values);
        auto to = raw(out);
        scan_all<in_group<T>>(
            s, end - keys,
            [=](index i) mutable {
                return in_group<T>{v[i], i == 0 || !same(k[i - 1], k[i])};
            },
            [=](index i, const in_group<T> &g) mutable { to[i] = g.value; }, within_groups<T>(op));
        return out + (end - keys);
    }
};
struct exclusive_scan_by_key_op {
    template <class S, class K, class I, class O> static O go(S s, K keys, K end, I values, O out)
    {
        return go(s, keys, end, values, out, value_of<I>());
    }
    template <class S, class K, class I, class O, class T>
    static O go(S s, K keys, K end, I values, O out, T init)
    {
        return go(s, keys, end, values, out, init, is_equal());
    }
    template <class S, class K, class I, class O, class T, class E>
    static O go(S s, K keys, K end, I values, O out, T init, E same)
    {
        return go(s, keys, end, values, out, init, same, add());
    }
    template <class S, class K, class I, class O, class T, class E, class F>
    static O go(S s, K keys, K end, I values, O out, T init, E same, F op)
    {
        const index n = end - keys;
        auto k = raw(keys);
        auto v = raw(values);
        auto to = raw(out);
        temporary<in_group<T>, S> kept(s, n); /* `out` may lie over the values */
        in_group<T> *const p = kept.get();
        each(s, n, [=](index i) mutable {
            const bool begins = i == 0 || !same(k[i - 1], k[i]);
            p[i] = in_group<T>{begins ? init : (T)v[i - 1], begins};
        });
        scan_all<in_group<T>>(
            s, n, [=](index i) { return p[i]; },
            [=](index i, const in_group<T> &g) mutable { to[i] = g.value; }, within_groups<T>(op));
        return out + n;
    }
};
struct reduce_by_key_op {
    template <class S, class K, class I, class A, class B>
    static pair<A, B> go(S s, K keys, K end, I values, A keys_out, B values_out)
    {
        return go(s, keys, end, values, keys_out, values_out, is_equal());
    }
    template <class S, class K, class I, class A, class B, class E>
    static pair<A, B> go(S s, K keys, K end, I values, A keys_out, B values_out, E same)
    {
        return go(s, keys, end, values, keys_out, values_out, same, add());
    }
    template <class S, class K, class I, class A, class B, class E, class F>
    static pair<A, B> go(S s, K keys, K end, I values, A keys_out, B values_out, E same, F op)
    {
        using T = value_of<I>;
        const index n = end - keys;
        auto k = raw(keys);
        auto v = raw(values);
        auto to_keys = raw(keys_out);
        auto to_values = raw(values_out);
        if (n == 0)
            return {keys_out, values_out};
        temporary<in_group<T>, S> sums(s, n);
        temporary<index, S> groups(s, n);
        in_group<T> *const sum = sums.get();
        index *const group = groups.get();
        const auto begins = [=](index i) { return i == 0 || !same(k[i - 1], k[i]); };
        scan_all<index>(
            s, n, [=](index i) mutable { return (index)begins(i); },
            [=](index i, index g) { group[i] = g - 1; }, add());
        scan_all<in_group<T>>(
            s, n,
            [=](index i) mutable {
                return in_group<T>{v[i], begins(i)};
            },
            [=](index i, const in_group<T> &g) { sum[i] = g; }, within_groups<T>(op));
        each(s, n, [=](index i) mutable {
            if (i == 0 || group[i - 1] != group[i])
                to_keys[group[i]] = k[i];
            if (i == n - 1 || group[i + 1] != group[i])
                to_values[group[i]] = sum[i].value;
        });
        const index count = groups.read(n - 1) + 1;
        return {keys_out + count, values_out + count};
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
