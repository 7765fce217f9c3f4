/**
 * @file neighbours.cuh
 * @brief The items of the neighbour threads: what flags, differences and shuffles are made from.
 */
#ifndef UMSIM_CUB_DETAIL_NEIGHBOURS_CUH
#define UMSIM_CUB_DETAIL_NEIGHBOURS_CUH

#include "group.cuh"

namespace cub
{
namespace detail
{
template <class _Tp, int _Threads> struct neighbour_storage {
    array_storage<_Tp, _Threads> first, last;
};

template <class _Self, class _Gp, class _Tp>
class neighbours : public with_temporary<_Self, neighbour_storage<_Tp, _Gp::threads>>
{
  public:
    using neighbours::with_temporary::with_temporary;

  protected:
    template <int _Items> __device__ void share(_Tp (&__items)[_Items])
    {
        first()[_Gp::rank()] = __items[0];
        last()[_Gp::rank()] = __items[_Items - 1];
        _Gp::sync();
    }
    __device__ _Tp *first()
    {
        return this->__storage_.first.values();
    }
    __device__ _Tp *last()
    {
        return this->__storage_.last.values();
    }
    /* Calls f(i, item before item i) and, for the block's first item, with `__outside` if that is an item. */
    template <int _Items, class _Fp, class... _Outside>
    __device__ void each_before(_Tp (&__items)[_Items], _Fp __f, const _Outside &...__outside)
    {
        if (_Gp::rank() > 0)
            __f(0, last()[_Gp::rank() - 1]);
        else
            (__f(0, __outside), ...);
        for (int __i = 1; __i < _Items; __i++)
            __f(__i, __items[__i - 1]);
    }
    /* The same with the items after. */
    template <int _Items, class _Fp, class... _Outside>
    __device__ void each_after(_Tp (&__items)[_Items], _Fp __f, const _Outside &...__outside)
    {
        for (int __i = 0; __i < _Items - 1; __i++)
            __f(__i, __items[__i + 1]);
        if (_Gp::rank() + 1 < _Gp::threads)
            __f(_Items - 1, first()[_Gp::rank() + 1]);
        else
            (__f(_Items - 1, __outside), ...);
    }
};
} // namespace detail
} // namespace cub

#endif
