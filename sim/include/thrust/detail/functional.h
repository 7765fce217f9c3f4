/**
 * @file thrust/detail/functional.h
 * @brief Function objects for both sides, and placeholders (_1, _2).
 */
#ifndef UMSIM_THRUST_DETAIL_FUNCTIONAL_H
#define UMSIM_THRUST_DETAIL_FUNCTIONAL_H

#include "system.h"

#include <functional>
#include <tuple>

namespace thrust
{
/** @name What old programs derive from. CUDA 13's Thrust has it no more. @{ */
template <class _Argument, class _Result> struct unary_function {
    using argument_type = _Argument;
    using result_type = _Result;
};
template <class _First, class _Second, class _Result> struct binary_function {
    using first_argument_type = _First;
    using second_argument_type = _Second;
    using result_type = _Result;
};
/** @} */

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::not_fn;
using std::plus;

template <class _Tp = void> struct maximum {
    using value_type = _Tp;
    __host__ __device__ constexpr _Tp operator()(const _Tp &__a, const _Tp &__b) const
    {
        return __a < __b ? __b : __a;
    }
};
template <> struct maximum<void> {
    template <class _Ap, class _Bp>
    __host__ __device__ constexpr auto operator()(const _Ap &__a, const _Bp &__b) const
    {
        return __a < __b ? __b : __a;
    }
};
template <class _Tp = void> struct minimum {
    using value_type = _Tp;
    __host__ __device__ constexpr _Tp operator()(const _Tp &__a, const _Tp &__b) const
    {
        return __b < __a ? __b : __a;
    }
};
template <> struct minimum<void> {
    template <class _Ap, class _Bp>
    __host__ __device__ constexpr auto operator()(const _Ap &__a, const _Bp &__b) const
    {
        return __b < __a ? __b : __a;
    }
};
template <class _Tp = void> struct identity {
    __host__ __device__ constexpr const _Tp &operator()(const _Tp &__a) const
    {
        return __a;
    }
};
template <> struct identity<void> {
    template <class _Ap> __host__ __device__ constexpr _Ap operator()(const _Ap &__a) const
    {
        return __a;
    }
};
template <class _Tp = void> struct square {
    __host__ __device__ constexpr _Tp operator()(const _Tp &__a) const
    {
        return __a * __a;
    }
};
template <> struct square<void> {
    template <class _Ap> __host__ __device__ constexpr auto operator()(const _Ap &__a) const
    {
        return __a * __a;
    }
};
template <class _Ap = void, class _Bp = void> struct project1st {
    template <class _Xp, class _Yp>
    __host__ __device__ constexpr _Xp operator()(const _Xp &__a, const _Yp &) const
    {
        return __a;
    }
};
template <class _Ap = void, class _Bp = void> struct project2nd {
    template <class _Xp, class _Yp>
    __host__ __device__ constexpr _Yp operator()(const _Xp &, const _Yp &__b) const
    {
        return __b;
    }
};

namespace detail
{
/* An expression of placeholders: a call computes its value. */
template <class _Fp> struct actor {
    _Fp __function;
    template <class... _Ap> __host__ __device__ constexpr auto operator()(const _Ap &...__a) const
    {
        return __function(__a...);
    }
};
template <int _Ip> struct argument {
    template <class... _Ap> __host__ __device__ constexpr auto operator()(const _Ap &...__a) const
    {
        return std::get<_Ip>(std::tuple<const _Ap &...>(__a...));
    }
};
template <class _Tp> struct is_actor : std::false_type {
};
template <class _Fp> struct is_actor<actor<_Fp>> : std::true_type {
};
template <class _Ep, class... _Ap> constexpr auto value_in(const _Ep &__e, const _Ap &...__a)
{
    if constexpr (is_actor<_Ep>::value)
        return __e(__a...);
    else
        return __e;
}
template <class _Op, class _Lp, class _Rp> struct both {
    _Lp __left;
    _Rp __right;
    template <class... _Ap> __host__ __device__ constexpr auto operator()(const _Ap &...__a) const
    {
        return _Op()(value_in(__left, __a...), value_in(__right, __a...));
    }
};
template <class _Op, class _Lp> struct single {
    _Lp __left;
    template <class... _Ap> __host__ __device__ constexpr auto operator()(const _Ap &...__a) const
    {
        return _Op()(value_in(__left, __a...));
    }
};
#define UMSIM_THRUST_BINARY(op, name)                                                                        \
    template <class _Lp, class _Rp, class = std::enable_if_t<is_actor<_Lp>::value || is_actor<_Rp>::value>>  \
    constexpr actor<both<std::name<>, _Lp, _Rp>> operator op(const _Lp &__l, const _Rp &__r)                 \
    {                                                                                                        \
        return {{__l, __r}};                                                                                 \
    }
UMSIM_THRUST_BINARY(+, plus)
UMSIM_THRUST_BINARY(-, minus)
UMSIM_THRUST_BINARY(*, multiplies)
UMSIM_THRUST_BINARY(/, divides)
UMSIM_THRUST_BINARY(%, modulus)
UMSIM_THRUST_BINARY(==, equal_to)
UMSIM_THRUST_BINARY(!=, not_equal_to)
UMSIM_THRUST_BINARY(<, less)
UMSIM_THRUST_BINARY(<=, less_equal)
UMSIM_THRUST_BINARY(>, greater)
UMSIM_THRUST_BINARY(>=, greater_equal)
UMSIM_THRUST_BINARY(&&, logical_and)
UMSIM_THRUST_BINARY(||, logical_or)
UMSIM_THRUST_BINARY(&, bit_and)
UMSIM_THRUST_BINARY(|, bit_or)
UMSIM_THRUST_BINARY(^, bit_xor)
#undef UMSIM_THRUST_BINARY
template <class _Fp> constexpr actor<single<std::negate<>, actor<_Fp>>> operator-(const actor<_Fp> &__l)
{
    return {{__l}};
}
template <class _Fp> constexpr actor<single<std::logical_not<>, actor<_Fp>>> operator!(const actor<_Fp> &__l)
{
    return {{__l}};
}
} // namespace detail

/** _1, _2, ...: in an expression that is a function object, its first, second argument. */
namespace placeholders
{
inline constexpr detail::actor<detail::argument<0>> _1{};
inline constexpr detail::actor<detail::argument<1>> _2{};
inline constexpr detail::actor<detail::argument<2>> _3{};
inline constexpr detail::actor<detail::argument<3>> _4{};
} // namespace placeholders
} // namespace thrust

#endif
