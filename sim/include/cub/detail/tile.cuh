/**
 * @file tile.cuh
 * @brief A tile of an array and a group's items: what BlockLoad, WarpLoad and the stores have in common.
 */
#ifndef UMSIM_CUB_DETAIL_TILE_CUH
#define UMSIM_CUB_DETAIL_TILE_CUH

#include "group.cuh"

namespace cub
{
namespace detail
{
/* Only what exchanges items needs memory. */
template <bool _Exchanges, class _Exchange>
using tile_storage =
    typename std::conditional_t<_Exchanges, _Exchange, with_temporary<NullType, NullType>>::TempStorage;

/* `__place(i)` is where the thread's item i is. Items from the `__valid`-th on are not touched, or `__other`.
 */
template <class _Ip, class _Tp, int _Items, class _Fp>
__device__ void load(_Ip __from, _Tp (&__items)[_Items], _Fp __place)
{
    for (int __i = 0; __i < _Items; __i++)
        __items[__i] = __from[place_in_group(__place, __i)];
}
template <class _Ip, class _Tp, int _Items, class _Fp>
__device__ void load(_Ip __from, _Tp (&__items)[_Items], _Fp __place, int __valid)
{
    for (int __i = 0; __i < _Items; __i++)
        if (place_in_group(__place, __i) < __valid)
            __items[__i] = __from[place_in_group(__place, __i)];
}
template <class _Ip, class _Tp, int _Items, class _Fp, class _Dp>
__device__ void load(_Ip __from, _Tp (&__items)[_Items], _Fp __place, int __valid, _Dp __other)
{
    for (int __i = 0; __i < _Items; __i++)
        __items[__i] = (_Tp)__other;
    load(__from, __items, __place, __valid);
}
template <class _Op, class _Tp, int _Items, class _Fp>
__device__ void store(_Op __to, _Tp (&__items)[_Items], _Fp __place)
{
    for (int __i = 0; __i < _Items; __i++)
        __to[place_in_group(__place, __i)] = __items[__i];
}
template <class _Op, class _Tp, int _Items, class _Fp>
__device__ void store(_Op __to, _Tp (&__items)[_Items], _Fp __place, int __valid)
{
    for (int __i = 0; __i < _Items; __i++)
        if (place_in_group(__place, __i) < __valid)
            __to[place_in_group(__place, __i)] = __items[__i];
}
} // namespace detail
} // namespace cub

#endif
