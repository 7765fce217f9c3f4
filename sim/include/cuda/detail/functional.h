/**
 * @file functional.h
 * @brief <cuda/functional>: proclaim_return_type(), minimum, maximum.
 */
#ifndef UMSIM_CUDA_FUNCTIONAL_H
#define UMSIM_CUDA_FUNCTIONAL_H

#include <type_traits>
#include <utility>

namespace cuda
{

/** @cond internal */
namespace detail
{
template <class Result, class Function> struct returning {
    Function function;
    template <class... A> constexpr Result operator()(A &&...arguments) const
    {
        return function(::std::forward<A>(arguments)...);
    }
    template <class... A> constexpr Result operator()(A &&...arguments)
    {
        return function(::std::forward<A>(arguments)...);
    }
};
} // namespace detail
/** @endcond */

/** The function, with its result's type said aloud: nvcc cannot ask a device lambda for it. */
template <class Result, class Function>
constexpr detail::returning<Result, ::std::decay_t<Function>> proclaim_return_type(Function &&function)
{
    return {::std::forward<Function>(function)};
}

/** The smaller of two. */
template <class T = void> struct minimum {
    constexpr T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <> struct minimum<void> {
    template <class T, class U> constexpr ::std::common_type_t<T, U> operator()(const T &a, const U &b) const
    {
        return b < a ? b : a;
    }
};

/** The larger of two. */
template <class T = void> struct maximum {
    constexpr T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
template <> struct maximum<void> {
    template <class T, class U> constexpr ::std::common_type_t<T, U> operator()(const T &a, const U &b) const
    {
        return a < b ? b : a;
    }
};

} // namespace cuda

#endif
