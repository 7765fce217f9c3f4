/**
 * @file functional.h
 * @brief Function objects for both sides, and placeholders (_1, _2).
 */
#ifndef UMSIM_THRUST_FUNCTIONAL_H
#define UMSIM_THRUST_FUNCTIONAL_H

#include "detail/system.h"

#include <functional>
#include <tuple>

namespace thrust
{
/** @name What old programs derive from. CUDA 13's Thrust has it no more. @{ */
template <class Argument, class Result> struct unary_function {
    using argument_type = Argument;
    using result_type = Result;
};
template <class First, class Second, class Result> struct binary_function {
    using first_argument_type = First;
    using second_argument_type = Second;
    using result_type = Result;
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

template <class T = void> struct maximum {
    using value_type = T;
    __host__ __device__ constexpr T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
template <> struct maximum<void> {
    template <class A, class B> __host__ __device__ constexpr auto operator()(const A &a, const B &b) const
    {
        return a < b ? b : a;
    }
};
template <class T = void> struct minimum {
    using value_type = T;
    __host__ __device__ constexpr T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <> struct minimum<void> {
    template <class A, class B> __host__ __device__ constexpr auto operator()(const A &a, const B &b) const
    {
        return b < a ? b : a;
    }
};
template <class T = void> struct identity {
    __host__ __device__ constexpr const T &operator()(const T &a) const
    {
        return a;
    }
};
template <> struct identity<void> {
    template <class A> __host__ __device__ constexpr A operator()(const A &a) const
    {
        return a;
    }
};
template <class T = void> struct square {
    __host__ __device__ constexpr T operator()(const T &a) const
    {
        return a * a;
    }
};
template <> struct square<void> {
    template <class A> __host__ __device__ constexpr auto operator()(const A &a) const
    {
        return a * a;
    }
};
template <class A = void, class B = void> struct project1st {
    template <class X, class Y> __host__ __device__ constexpr X operator()(const X &a, const Y &) const
    {
        return a;
    }
};
template <class A = void, class B = void> struct project2nd {
    template <class X, class Y> __host__ __device__ constexpr Y operator()(const X &, const Y &b) const
    {
        return b;
    }
};

namespace detail
{
/* An expression of placeholders: called, it is its value. */
template <class F> struct actor {
    F f;
    template <class... A> __host__ __device__ constexpr auto operator()(const A &...a) const
    {
        return f(a...);
    }
};
template <int I> struct argument {
    template <class... A> __host__ __device__ constexpr auto operator()(const A &...a) const
    {
        return std::get<I>(std::tuple<const A &...>(a...));
    }
};
template <class T> struct is_actor : std::false_type {
};
template <class F> struct is_actor<actor<F>> : std::true_type {
};
template <class E, class... A> constexpr auto value_in(const E &e, const A &...a)
{
    if constexpr (is_actor<E>::value)
        return e(a...);
    else
        return e;
}
template <class Op, class L, class R> struct both {
    L l;
    R r;
    template <class... A> __host__ __device__ constexpr auto operator()(const A &...a) const
    {
        return Op()(value_in(l, a...), value_in(r, a...));
    }
};
template <class Op, class L> struct single {
    L l;
    template <class... A> __host__ __device__ constexpr auto operator()(const A &...a) const
    {
        return Op()(value_in(l, a...));
    }
};
#define UMSIM_THRUST_BINARY(op, name)                                                                        \
    template <class L, class R, class = std::enable_if_t<is_actor<L>::value || is_actor<R>::value>>          \
    constexpr actor<both<std::name<>, L, R>> operator op(const L &l, const R &r)                             \
    {                                                                                                        \
        return {{l, r}};                                                                                     \
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
template <class F> constexpr actor<single<std::negate<>, actor<F>>> operator-(const actor<F> &l)
{
    return {{l}};
}
template <class F> constexpr actor<single<std::logical_not<>, actor<F>>> operator!(const actor<F> &l)
{
    return {{l}};
}
} // namespace detail

/** _1, _2, ...: the first, second argument of the function object that an expression of them is. */
namespace placeholders
{
inline constexpr detail::actor<detail::argument<0>> _1{};
inline constexpr detail::actor<detail::argument<1>> _2{};
inline constexpr detail::actor<detail::argument<2>> _3{};
inline constexpr detail::actor<detail::argument<3>> _4{};
} // namespace placeholders
} // namespace thrust

#endif
