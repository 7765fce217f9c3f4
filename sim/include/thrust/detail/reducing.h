/**
 * @file reducing.h
 * @brief Algorithms that make one value of all elements: reduce, count, min_element, find, equal, and their
 * kin.
 *
 * A thread reduces a part, one thread the parts' results, in order: operations need to be associative alone.
 */
#ifndef UMSIM_THRUST_REDUCING_H
#define UMSIM_THRUST_REDUCING_H

#include "transforming.h"
#include "../pair.h"

namespace thrust
{
namespace detail
{

/* op(... op(init, get(0)) ..., get(n - 1)), in parts */
template <class S, class G, class T, class F> T reduce_all(S s, index n, G get, T init, F op)
{
    if constexpr (!S::device) {
        T sum = init;
        for (index i = 0; i < n; i++)
            sum = op(sum, get(i));
        return sum;
    } else {
        const index count = parts(s, n);
        if (count == 0)
            return init;
        temporary<T, S> sums(s, count + 1);
        T *const p = sums.get();
        each(s, count, [=](index part) mutable {
            const index end = part_begin(part + 1, count, n);
            index i = part_begin(part, count, n);
            T sum = get(i);
            while (++i < end)
                sum = op(sum, get(i));
            p[part] = sum;
        });
        each(s, 1, [=](index) mutable {
            T sum = init;
            for (index i = 0; i < count; i++)
                sum = op(sum, p[i]);
            p[count] = sum;
        });
        return sums.read(count);
    }
}

struct add {
    template <class A, class B> auto operator()(const A &a, const B &b) const
    {
        return a + b;
    }
};
struct is_equal {
    template <class A, class B> bool operator()(const A &a, const B &b) const
    {
        return a == b;
    }
};
struct is_less {
    template <class A, class B> bool operator()(const A &a, const B &b) const
    {
        return a < b;
    }
};

struct reduce_op {
    template <class S, class I> static value_of<I> go(S s, I first, I last)
    {
        return go(s, first, last, value_of<I>());
    }
    template <class S, class I, class T> static T go(S s, I first, I last, T init)
    {
        return go(s, first, last, init, add());
    }
    template <class S, class I, class T, class F> static T go(S s, I first, I last, T init, F op)
    {
        auto from = raw(first);
        return reduce_all(
            s, last - first, [=](index i) mutable -> T { return from[i]; }, init, op);
    }
};
struct transform_reduce_op {
    template <class S, class I, class U, class T, class F>
    static T go(S s, I first, I last, U unary, T init, F op)
    {
        auto from = raw(first);
        return reduce_all(
            s, last - first, [=](index i) mutable -> T { return unary(from[i]); }, init, op);
    }
};
struct inner_product_op {
    template <class S, class I, class J, class T> static T go(S s, I first, I last, J second, T init)
    {
        return go(s, first, last, second, init, add(), [](const auto &a, const auto &b) { return a * b; });
    }
    template <class S, class I, class J, class T, class F, class G>
    static T go(S s, I first, I last, J second, T init, F op, G product)
    {
        auto a = raw(first);
        auto b = raw(second);
        return reduce_all(
            s, last - first, [=](index i) mutable -> T { return product(a[i], b[i]); }, init, op);
    }
};
struct count_if_op {
    template <class S, class I, class P> static index go(S s, I first, I last, P predicate)
    {
        auto from = raw(first);
        return reduce_all(
            s, last - first, [=](index i) mutable -> index { return predicate(from[i]) ? 1 : 0; }, (index)0,
            add());
    }
};
struct count_op {
    template <class S, class I, class T> static index go(S s, I first, I last, T value)
    {
        return count_if_op::go(s, first, last, [=](const value_of<I> &v) { return v == value; });
    }
};

/* The first index at which get() is true; n when there is none. */
template <class S, class G> index first_index(S s, index n, G get)
{
    if constexpr (!S::device) {
        for (index i = 0; i < n; i++)
            if (get(i))
                return i;
        return n;
    } else
        return reduce_all(
            s, n, [=](index i) mutable -> index { return get(i) ? i : n; }, n,
            [](index a, index b) { return a < b ? a : b; });
}
struct find_if_op {
    template <class S, class I, class P> static I go(S s, I first, I last, P predicate)
    {
        auto from = raw(first);
        return first +
               first_index(s, last - first, [=](index i) mutable -> bool { return predicate(from[i]); });
    }
};
struct find_if_not_op {
    template <class S, class I, class P> static I go(S s, I first, I last, P predicate)
    {
        auto from = raw(first);
        return first +
               first_index(s, last - first, [=](index i) mutable -> bool { return !predicate(from[i]); });
    }
};
struct find_op {
    template <class S, class I, class T> static I go(S s, I first, I last, T value)
    {
        return find_if_op::go(s, first, last, [=](const value_of<I> &v) { return v == value; });
    }
};
struct any_of_op {
    template <class S, class I, class P> static bool go(S s, I first, I last, P predicate)
    {
        return find_if_op::go(s, first, last, predicate) != last;
    }
};
struct none_of_op {
    template <class S, class I, class P> static bool go(S s, I first, I last, P predicate)
    {
        return find_if_op::go(s, first, last, predicate) == last;
    }
};
struct all_of_op {
    template <class S, class I, class P> static bool go(S s, I first, I last, P predicate)
    {
        return find_if_not_op::go(s, first, last, predicate) == last;
    }
};
struct mismatch_op {
    template <class S, class I, class J> static pair<I, J> go(S s, I first, I last, J second)
    {
        return go(s, first, last, second, is_equal());
    }
    template <class S, class I, class J, class P> static pair<I, J> go(S s, I first, I last, J second, P same)
    {
        auto a = raw(first);
        auto b = raw(second);
        const index i =
            first_index(s, last - first, [=](index i) mutable -> bool { return !same(a[i], b[i]); });
        return {first + i, second + i};
    }
};
struct equal_op {
    template <class S, class I, class J> static bool go(S s, I first, I last, J second)
    {
        return mismatch_op::go(s, first, last, second).first == last;
    }
    template <class S, class I, class J, class P> static bool go(S s, I first, I last, J second, P same)
    {
        return mismatch_op::go(s, first, last, second, same).first == last;
    }
};
struct is_sorted_until_op {
    template <class S, class I> static I go(S s, I first, I last)
    {
        return go(s, first, last, is_less());
    }
    template <class S, class I, class C> static I go(S s, I first, I last, C less)
    {
        auto a = raw(first);
        return first + first_index(s, last - first,
                                   [=](index i) mutable -> bool { return i > 0 && less(a[i], a[i - 1]); });
    }
};
struct is_sorted_op {
    template <class S, class I> static bool go(S s, I first, I last)
    {
        return is_sorted_until_op::go(s, first, last) == last;
    }
    template <class S, class I, class C> static bool go(S s, I first, I last, C less)
    {
        return is_sorted_until_op::go(s, first, last, less) == last;
    }
};

/* The first of the elements that no other precedes. */
template <class S, class I, class C> index first_of_least(S s, I first, index n, C less)
{
    auto a = raw(first);
    return reduce_all(
        s, n, [=](index i) { return i; }, (index)0,
        [=](index i, index j) mutable -> index {
            return less(a[j], a[i]) || (!less(a[i], a[j]) && j < i) ? j : i;
        });
}
struct min_element_op {
    template <class S, class I> static I go(S s, I first, I last)
    {
        return go(s, first, last, is_less());
    }
    template <class S, class I, class C> static I go(S s, I first, I last, C less)
    {
        return first == last ? last : first + first_of_least(s, first, last - first, less);
    }
};
struct max_element_op {
    template <class S, class I> static I go(S s, I first, I last)
    {
        return go(s, first, last, is_less());
    }
    template <class S, class I, class C> static I go(S s, I first, I last, C less)
    {
        return min_element_op::go(s, first, last,
                                  [=](const auto &a, const auto &b) mutable { return less(b, a); });
    }
};
struct minmax_element_op {
    template <class S, class I> static pair<I, I> go(S s, I first, I last)
    {
        return go(s, first, last, is_less());
    }
    template <class S, class I, class C> static pair<I, I> go(S s, I first, I last, C less)
    {
        return {min_element_op::go(s, first, last, less), max_element_op::go(s, first, last, less)};
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
