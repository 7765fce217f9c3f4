/**
 * @file group.cuh
 * @brief What blocks and warps have in common: a rank, a barrier, shared storage; and reductions, scans,
 * exchanges and sorts over these, which CUB's classes are made of.
 *
 * Values go through the storage that the caller provides, and the first thread adds them up in order. As in
 * CUB, the caller needs a barrier between two uses of the same storage.
 */
#ifndef UMSIM_CUB_DETAIL_GROUP_CUH
#define UMSIM_CUB_DETAIL_GROUP_CUH

#include "../../cuda/std/functional" /* for programs, as NVIDIA's */
#include "../../thrust/detail/merging.h"
#include "../util_ptx.cuh"

#include <functional>

namespace cub
{
namespace detail
{
using thrust::detail::index;
using add = std::plus<>;

/* `done()` ends a use of the storage: warps may use it again at once, because NVIDIA's need none. */
template <int _Xp, int _Yp, int _Zp> struct block_group {
    static constexpr int threads = _Xp * _Yp * _Zp;
    __device__ static int rank()
    {
        return RowMajorTid(_Xp, _Yp, _Zp);
    }
    __device__ static void sync()
    {
        __syncthreads();
    }
    __device__ static void done()
    {
    }
};
template <int _Lanes> struct warp_group {
    static constexpr int threads = _Lanes;
    __device__ static int rank()
    {
        return LaneId() % _Lanes;
    }
    __device__ static unsigned mask()
    {
        return part_mask<_Lanes>(LaneId() / _Lanes);
    }
    __device__ static void sync()
    {
        __syncwarp(mask());
    }
    __device__ static void done()
    {
        sync();
    }
};

/* The base of the classes: storage that the caller provides, or that all objects of a class share. */
template <class _Self, class _Storage> class with_temporary
{
  public:
    using TempStorage = _Storage;
    __device__ with_temporary() : __storage_(own())
    {
    }
    __device__ explicit with_temporary(TempStorage &__storage) : __storage_(__storage)
    {
    }

  protected:
    TempStorage &__storage_;

  private:
    __device__ static TempStorage &own()
    {
        __shared__ TempStorage __of_class;
        return __of_class;
    }
};

/* @return for rank 0: the values of the first `__valid` ranks, put together in order */
template <class _Gp, class _Tp, class _Fp> __device__ _Tp reduce(_Tp *__s, _Tp __value, _Fp __op, int __valid)
{
    const int __rank = _Gp::rank();
    __s[__rank] = __value;
    _Gp::sync();
    if (__rank == 0)
        for (int __i = 1; __i < __valid && __i < _Gp::threads; __i++)
            __value = __op(__value, __s[__i]);
    _Gp::done();
    return __value;
}

/* `__through`: the values of the ranks up to this one; `__before`: without this one (rank 0: none). @return
 * all */
template <class _Gp, class _Tp, class _Fp>
__device__ _Tp scan(_Tp *__s, const _Tp &__in, _Tp &__before, _Tp &__through, _Fp __op)
{
    const int __rank = _Gp::rank();
    __s[__rank] = __in;
    _Gp::sync();
    if (__rank == 0)
        for (int __i = 1; __i < _Gp::threads; __i++)
            __s[__i] = __op(__s[__i - 1], __s[__i]);
    _Gp::sync();
    __through = __s[__rank];
    if (__rank > 0)
        __before = __s[__rank - 1];
    return __s[_Gp::threads - 1];
}

/* The orders of a group's items. What place a thread's item has is told by a function of its own name, and by
 * no operator: umcc takes what one operator does for what any may do, and this one asks for threadIdx. */
template <class _Gp, int _Items> struct blocked {
};
template <class _Gp, int _Items> struct striped {
};
/* Each warp has 32 * Items neighbours, and each of its lanes every 32nd of them. */
template <class _Gp, int _Items> struct warp_striped {
};
/* @name The place of a thread's item i among all @{ */
template <class _Gp, int _Items> __device__ int place_in_group(blocked<_Gp, _Items>, int __i)
{
    return _Gp::rank() * _Items + __i;
}
template <class _Gp, int _Items> __device__ int place_in_group(striped<_Gp, _Items>, int __i)
{
    return __i * _Gp::threads + _Gp::rank();
}
template <class _Gp, int _Items> __device__ int place_in_group(warp_striped<_Gp, _Items>, int __i)
{
    constexpr int __lanes = _Gp::threads < 32 ? _Gp::threads : 32;
    const int __rank = _Gp::rank();
    return __rank / __lanes * __lanes * _Items + __i * __lanes + __rank % __lanes;
}
template <class _Fp> __device__ int place_in_group(const _Fp &__f, int __i)
{
    return __f(__i);
}
/* @} */

/* Puts item i at place to(i) of the storage, and takes for out[i] what is at from(i). */
template <class _Sync, class _Tp, class _Ip, class _Op, int _Items, class _Fp, class _Gp>
__device__ void exchange(_Tp *__s, _Ip (&__in)[_Items], _Op (&__out)[_Items], _Fp __to, _Gp __from)
{
    for (int __i = 0; __i < _Items; __i++)
        __s[place_in_group(__to, __i)] = __in[__i];
    _Sync::sync();
    for (int __i = 0; __i < _Items; __i++)
        __out[__i] = __s[place_in_group(__from, __i)];
    _Sync::done();
}

/* Sorts items by insertion, stable. `__i` moved means `__values` move, too. */
template <class _Kp, class _Vp, int _Items, class _Cp>
__host__ __device__ void sort_own(_Kp (&__keys)[_Items], _Vp (&__values)[_Items], _Cp __less)
{
    for (int __i = 1; __i < _Items; __i++) {
        const _Kp __key = __keys[__i];
        const _Vp __value = __values[__i];
        int __j = __i;
        for (; __j > 0 && __less(__key, __keys[__j - 1]); __j--) {
            __keys[__j] = __keys[__j - 1];
            __values[__j] = __values[__j - 1];
        }
        __keys[__j] = __key;
        __values[__j] = __value;
    }
}

/* Keys, or values, of all threads: sorts use the same memory for both, as NVIDIA's do. */
template <class _Kp, class _Vp, int _Count> union sort_storage {
    array_storage<_Kp, _Count> keys;
    array_storage<_Vp, _Count> values;
};
template <class _Kp, int _Count> union sort_storage<_Kp, NullType, _Count> {
    array_storage<_Kp, _Count> keys;
};

/* One round: each thread takes its share of what merging pairs of `__width` sorted neighbours gives. */
template <class _Gp, class _Kp, class _Vp, int _Items, class _Sp, class _Cp>
__device__ void merge_round(_Sp &__s, _Kp (&__keys)[_Items], _Vp (&__values)[_Items], index __width,
                            _Cp __less)
{
    constexpr index __n = (index)_Gp::threads * _Items;
    const blocked<_Gp, _Items> __mine;
    _Kp *const __all = __s.keys.values();
    for (int __i = 0; __i < _Items; __i++)
        __all[place_in_group(__mine, __i)] = __keys[__i];
    _Gp::sync();
    const index __begin = place_in_group(__mine, 0), __base = __begin / (2 * __width) * (2 * __width),
                __rest = __n - __base;
    const index __na = __rest < __width ? __rest : __width,
                __nb = __rest - __na < __width ? __rest - __na : __width;
    int __from[_Items];
    thrust::detail::merge_share(__all + __base, __na, __nb, __begin - __base, __begin - __base + _Items,
                                __less, [&](index __o, index __i) {
                                    __keys[__base + __o - __begin] = __all[__base + __i];
                                    __from[__base + __o - __begin] = (int)(__base + __i);
                                });
    _Gp::sync();
    if constexpr (!std::is_same_v<_Vp, NullType>) {
        exchange<_Gp>(__s.values.values(), __values, __values, __mine, [&](int __i) { return __from[__i]; });
        _Gp::sync();
    }
}

/* Sorts the group's items, which are in blocked order before and after. */
template <class _Gp, class _Kp, class _Vp, int _Items, class _Sp, class _Cp>
__device__ void sort(_Sp &__s, _Kp (&__keys)[_Items], _Vp (&__values)[_Items], _Cp __less)
{
    sort_own(__keys, __values, __less);
    for (index __width = _Items; __width < (index)_Gp::threads * _Items; __width *= 2)
        merge_round<_Gp>(__s, __keys, __values, __width, __less);
}
} // namespace detail
} // namespace cub

#endif
