/**
 * @file selecting.h
 * @brief Algorithms that keep some of the elements, in order: copy_if, remove_if, unique, partition.
 */
#ifndef UMSIM_THRUST_SELECTING_H
#define UMSIM_THRUST_SELECTING_H

#include "scanning.h"
#include "../iterator/zip_iterator.h"

namespace thrust
{
namespace detail
{

/* Writes those of from[0, n) whose index keeps() to `to`, which may be `from`. @return how many */
template <class S, class I, class O, class P> index select(S s, I from, index n, O to, P keeps)
{
    if (n == 0)
        return 0;
    using T = value_of<I>;
    temporary<index, S> places(s, n);
    temporary<T, S> kept(s, n);
    index *const place = places.get();
    T *const p = kept.get();
    scan_all<index>(
        s, n, [=](index i) mutable { return (index)(bool)keeps(i); }, [=](index i, index k) { place[i] = k; },
        add());
    each(s, n, [=](index i) {
        if (place[i] != (i == 0 ? 0 : place[i - 1]))
            p[place[i] - 1] = from[i];
    });
    const index count = places.read(n - 1);
    each(s, count, [=](index i) mutable { to[i] = p[i]; });
    return count;
}

struct copy_if_op {
    template <class S, class I, class O, class P> static O go(S s, I first, I last, O out, P predicate)
    {
        return go(s, first, last, first, out, predicate);
    }
    template <class S, class I, class J, class O, class P>
    static O go(S s, I first, I last, J stencil, O out, P predicate)
    {
        auto asked = raw(stencil);
        return out + select(s, raw(first), last - first, raw(out),
                            [=](index i) mutable { return predicate(asked[i]); });
    }
};
struct remove_copy_if_op {
    template <class S, class I, class O, class P> static O go(S s, I first, I last, O out, P predicate)
    {
        return go(s, first, last, first, out, predicate);
    }
    template <class S, class I, class J, class O, class P>
    static O go(S s, I first, I last, J stencil, O out, P predicate)
    {
        auto asked = raw(stencil);
        return out + select(s, raw(first), last - first, raw(out),
                            [=](index i) mutable { return !predicate(asked[i]); });
    }
};
struct remove_if_op {
    template <class S, class I, class P> static I go(S s, I first, I last, P predicate)
    {
        return remove_copy_if_op::go(s, first, last, first, predicate);
    }
    template <class S, class I, class J, class P> static I go(S s, I first, I last, J stencil, P predicate)
    {
        return remove_copy_if_op::go(s, first, last, stencil, first, predicate);
    }
};
struct remove_op {
    template <class S, class I, class T> static I go(S s, I first, I last, T value)
    {
        return remove_if_op::go(s, first, last, [=](const value_of<I> &v) { return v == value; });
    }
};
struct remove_copy_op {
    template <class S, class I, class O, class T> static O go(S s, I first, I last, O out, T value)
    {
        return remove_copy_if_op::go(s, first, last, out, [=](const value_of<I> &v) { return v == value; });
    }
};
struct unique_copy_op {
    template <class S, class I, class O> static O go(S s, I first, I last, O out)
    {
        return go(s, first, last, out, is_equal());
    }
    template <class S, class I, class O, class E> static O go(S s, I first, I last, O out, E same)
    {
        auto a = raw(first);
        return out + select(s, a, last - first, raw(out),
                            [=](index i) mutable { return i == 0 || !same(a[i - 1], a[i]); });
    }
};
struct unique_op {
    template <class S, class I> static I go(S s, I first, I last)
    {
        return unique_copy_op::go(s, first, last, first);
    }
    template <class S, class I, class E> static I go(S s, I first, I last, E same)
    {
        return unique_copy_op::go(s, first, last, first, same);
    }
};
struct unique_count_op {
    template <class S, class I> static index go(S s, I first, I last)
    {
        return go(s, first, last, is_equal());
    }
    template <class S, class I, class E> static index go(S s, I first, I last, E same)
    {
        auto a = raw(first);
        return reduce_all(
            s, last - first, [=](index i) mutable -> index { return i == 0 || !same(a[i - 1], a[i]); },
            (index)0, add());
    }
};
struct unique_by_key_copy_op {
    template <class S, class K, class V, class A, class B>
    static pair<A, B> go(S s, K keys, K end, V values, A keys_out, B values_out)
    {
        return go(s, keys, end, values, keys_out, values_out, is_equal());
    }
    template <class S, class K, class V, class A, class B, class E>
    static pair<A, B> go(S s, K keys, K end, V values, A keys_out, B values_out, E same)
    {
        auto k = raw(keys);
        const index n = select(s, make_zip_iterator(k, raw(values)), end - keys,
                               make_zip_iterator(raw(keys_out), raw(values_out)),
                               [=](index i) mutable { return i == 0 || !same(k[i - 1], k[i]); });
        return {keys_out + n, values_out + n};
    }
};
struct unique_by_key_op {
    template <class S, class K, class V> static pair<K, V> go(S s, K keys, K end, V values)
    {
        return unique_by_key_copy_op::go(s, keys, end, values, keys, values);
    }
    template <class S, class K, class V, class E> static pair<K, V> go(S s, K keys, K end, V values, E same)
    {
        return unique_by_key_copy_op::go(s, keys, end, values, keys, values, same);
    }
};
struct partition_copy_op {
    template <class S, class I, class A, class B, class P>
    static pair<A, B> go(S s, I first, I last, A yes, B no, P predicate)
    {
        return go(s, first, last, first, yes, no, predicate);
    }
    template <class S, class I, class J, class A, class B, class P>
    static pair<A, B> go(S s, I first, I last, J stencil, A yes, B no, P predicate)
    {
        return {copy_if_op::go(s, first, last, stencil, yes, predicate),
                remove_copy_if_op::go(s, first, last, stencil, no, predicate)};
    }
};
struct stable_partition_copy_op : partition_copy_op {
};
struct stable_partition_op {
    template <class S, class I, class P> static I go(S s, I first, I last, P predicate)
    {
        return go(s, first, last, first, predicate);
    }
    template <class S, class I, class J, class P> static I go(S s, I first, I last, J stencil, P predicate)
    {
        using T = value_of<I>;
        auto a = raw(first);
        temporary<T, S> others(s, last - first);
        T *const p = others.get();
        const index n = last - first;
        const index no = remove_copy_if_op::go(s, a, a + n, raw(stencil), p, predicate) - p;
        copy_if_op::go(s, a, a + n, raw(stencil), a, predicate);
        const index yes = n - no;
        each(s, no, [=](index i) mutable { a[yes + i] = p[i]; });
        return first + yes;
    }
};
struct partition_op : stable_partition_op {
};
struct partition_point_op {
    template <class S, class I, class P> static I go(S s, I first, I last, P predicate)
    {
        return find_if_not_op::go(s, first, last, predicate);
    }
};
struct is_partitioned_op {
    template <class S, class I, class P> static bool go(S s, I first, I last, P predicate)
    {
        return find_if_op::go(s, find_if_not_op::go(s, first, last, predicate), last, predicate) == last;
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
