/**
 * @file thread_operators.cuh
 * @brief CUB's operations. CUDA 13's CUB has only some of them any more; programs of CUDA 12 use all.
 */
#ifndef UMSIM_CUB_THREAD_THREAD_OPERATORS_CUH
#define UMSIM_CUB_THREAD_THREAD_OPERATORS_CUH

#include "../../cuda/functional"
#include "../../cuda/std/functional"
#include "../util_type.cuh"

#include <functional>

namespace cub
{
using Equality = std::equal_to<>;
using Inequality = std::not_equal_to<>;
using Sum = std::plus<>;
using Difference = std::minus<>;
using Division = std::divides<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;

template <class _Fp> struct InequalityWrapper {
    _Fp op;
    __host__ __device__ InequalityWrapper(_Fp __op) : op(__op)
    {
    }
    template <class _Ap, class _Bp> __host__ __device__ bool operator()(const _Ap &__a, const _Bp &__b)
    {
        return !op(__a, __b);
    }
};

/** The pair with the larger value; of equal ones, that with the smaller key. */
struct ArgMax {
    template <class _Kp, class _Vp>
    __host__ __device__ KeyValuePair<_Kp, _Vp> operator()(const KeyValuePair<_Kp, _Vp> &__a,
                                                          const KeyValuePair<_Kp, _Vp> &__b) const
    {
        return __a.value < __b.value || (__a.value == __b.value && __b.key < __a.key) ? __b : __a;
    }
};
/** The pair with the smaller value; of equal ones, that with the smaller key. */
struct ArgMin {
    template <class _Kp, class _Vp>
    __host__ __device__ KeyValuePair<_Kp, _Vp> operator()(const KeyValuePair<_Kp, _Vp> &__a,
                                                          const KeyValuePair<_Kp, _Vp> &__b) const
    {
        return __b.value < __a.value || (__a.value == __b.value && __b.key < __a.key) ? __b : __a;
    }
};

template <class _Tp> struct CastOp {
    template <class _Ap> __host__ __device__ _Tp operator()(_Ap &&__a) const
    {
        return (_Tp)__a;
    }
};

/** The operation with its arguments exchanged. */
template <class _Fp> class SwizzleScanOp
{
    _Fp __op_;

  public:
    __host__ __device__ SwizzleScanOp(_Fp __op) : __op_(__op)
    {
    }
    template <class _Tp> __host__ __device__ _Tp operator()(const _Tp &__a, const _Tp &__b)
    {
        return __op_(__b, __a);
    }
};

/** Of pairs (segments that begin, value): the sum since the last beginning. */
template <class _Fp> struct ReduceBySegmentOp {
    _Fp op;
    __host__ __device__ ReduceBySegmentOp(_Fp __op = _Fp()) : op(__op)
    {
    }
    template <class _Pair> __host__ __device__ _Pair operator()(const _Pair &__a, const _Pair &__b)
    {
        _Pair __both = __b;
        __both.key = __a.key + __b.key;
        if (!__b.key)
            __both.value = op(__a.value, __b.value);
        return __both;
    }
};
/** Of pairs (key, value): the sum since the key changed. */
template <class _Fp> struct ReduceByKeyOp {
    _Fp op;
    __host__ __device__ ReduceByKeyOp(_Fp __op = _Fp()) : op(__op)
    {
    }
    template <class _Pair> __host__ __device__ _Pair operator()(const _Pair &__a, const _Pair &__b)
    {
        _Pair __both = __b;
        if (__a.key == __b.key)
            __both.value = op(__a.value, __b.value);
        return __both;
    }
};
} // namespace cub

#endif
