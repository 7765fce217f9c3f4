/**
 * @file merging.h
 * @brief Bisection, and the part of a merge that one thread does.
 */
#ifndef UMSIM_THRUST_MERGING_H
#define UMSIM_THRUST_MERGING_H

#include <cstddef>

namespace thrust
{
namespace detail
{
using index = std::ptrdiff_t;

/* The first index in [0, n) for which before() no longer holds. */
template <class _Pp> index bisect(index __n, _Pp __before)
{
    index __low = 0;
    while (__n > 0) {
        const index __half_ = __n / 2;
        if (__before(__low + __half_)) {
            __low += __half_ + 1;
            __n -= __half_ + 1;
        } else
            __n = __half_;
    }
    return __low;
}

/* Merges the sorted p[0, na) and p[na, na + nb): calls put(o, i) for the results o in [begin, end), each of
 * which is p[i]. Of equal elements, the first half's come first. */
template <class _Tp, class _Cp, class _Pp>
void merge_share(const _Tp *__p, index __na, index __nb, index __begin, index __end, _Cp __less, _Pp __put)
{
    const _Tp *const __a = __p, *const __b = __p + __na;
    /* How many of the first `__begin` results come from a: the smallest number after which a's next element
     * does not belong before b's last one. */
    const index __from = __begin > __nb ? __begin - __nb : 0, __to = __begin < __na ? __begin : __na;
    index __i = __from + bisect(__to - __from, [&](index __k) {
                    return !__less(__b[__begin - 1 - __from - __k], __a[__from + __k]);
                });
    index __j = __begin - __i;
    index __o = __begin;
    for (; __o < __end && __i < __na && __j < __nb;
         __o++) { /* without branches, which could not be predicted */
        const bool __first = !__less(__b[__j], __a[__i]);
        __put(__o, __first ? __i : __na + __j);
        __i += __first;
        __j += !__first;
    }
    for (; __o < __end; __o++)
        __put(__o, __i < __na ? __i++ : __na + __j++);
}
} // namespace detail
} // namespace thrust

#endif
