/**
 * @file shuffling.h
 * @brief shuffle() and shuffle_copy(): a sort by random keys.
 *
 * Each element's key is made of its place and a number from the generator, so the same seed gives the same
 * order, on the host and on the device; a GPU's Thrust gives another one.
 */
#ifndef UMSIM_THRUST_SHUFFLING_H
#define UMSIM_THRUST_SHUFFLING_H

#include "sorting.h"

#include <cstdint>

namespace thrust
{
namespace detail
{
/* The mixing step of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 */
inline std::uint64_t mixed(std::uint64_t __x)
{
    __x = (__x ^ __x >> 30) * 0xbf58476d1ce4e5b9u;
    __x = (__x ^ __x >> 27) * 0x94d049bb133111ebu;
    return __x ^ __x >> 31;
}

struct shuffle_copy_op {
    template <class _Sp, class _Ip, class _Op, class _Gp>
    static _Op by(_Sp __s, _Ip __first, _Ip __last, _Op __out, _Gp &__generator)
    {
        using _Tp = value_of<_Ip>;
        const index __n = __last - __first;
        const std::uint64_t __seed = mixed(__generator() + 0x9e3779b97f4a7c15u) ^ mixed(__generator());
        temporary<std::uint64_t, _Sp> __keys(__s, __n);
        temporary<_Tp, _Sp> __values(__s, __n);
        std::uint64_t *const __k = __keys.get();
        _Tp *const __v = __values.get();
        auto __from = raw(__first);
        each(__s, __n, [=](index __i) mutable {
            __k[__i] = mixed(__seed + (std::uint64_t)__i * 0x9e3779b97f4a7c15u);
            __v[__i] = __from[__i];
        });
        stable_sort_by_key_op::go(__s, __k, __k + __n, __v);
        auto __to = raw(__out);
        each(__s, __n, [=](index __i) mutable { __to[__i] = __v[__i]; });
        return __out + __n;
    }
};
} // namespace detail

/** Puts the elements into an order that the generator decides. A policy may stand first. @{ */
template <class _Ip, class _Gp> void shuffle(_Ip __first, _Ip __last, _Gp &&__generator)
{
    detail::shuffle_copy_op::by(detail::system_of<_Ip>(), __first, __last, __first, __generator);
}
template <class _Pp, class _Ip, class _Gp, class = std::enable_if_t<detail::is_policy<_Pp>::value>>
void shuffle(const _Pp &__policy, _Ip __first, _Ip __last, _Gp &&__generator)
{
    detail::shuffle_copy_op::by(__policy.thrust_system(), __first, __last, __first, __generator);
}
/** @} */
/** The same into another array. @return behind the last element @{ */
template <class _Ip, class _Op, class _Gp>
_Op shuffle_copy(_Ip __first, _Ip __last, _Op __out, _Gp &&__generator)
{
    return detail::shuffle_copy_op::by(detail::system_of<_Ip, _Op>(), __first, __last, __out, __generator);
}
template <class _Pp, class _Ip, class _Op, class _Gp, class = std::enable_if_t<detail::is_policy<_Pp>::value>>
_Op shuffle_copy(const _Pp &__policy, _Ip __first, _Ip __last, _Op __out, _Gp &&__generator)
{
    return detail::shuffle_copy_op::by(__policy.thrust_system(), __first, __last, __out, __generator);
}
/** @} */
} // namespace thrust

#endif
